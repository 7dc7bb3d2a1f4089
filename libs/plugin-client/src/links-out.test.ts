import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifests } from './plugin-server-fixture.ts'
import { callOf, startMesh } from './plugins-mesh-fixture.ts'

const object = '{"apiVersion":"v1","kind":"ConfigMap"}'

test("a link to the root goes to Wadi's server and not to others, which would refuse it", async () => {
  await using mesh = await startMesh({ 'app/a.yaml': 'a', top: { link: '.' } })
  const foreign = await mesh.start('foreign.sock', { answer: () => manifests(object) })
  await mesh.start('own.sock', { configuration: { identity: 'i' }, answer: () => manifests(object) })
  const generate = async (name: string, path: string) =>
    (await mesh.plugins.get(name)).generate({ ...callOf(mesh.tree), path })
  assert.deepEqual((await generate('foreign', 'app')).warnings, [
    "symlinks outside of the application's directory are left out: top leads to the root of the repository, which the plugin's server refuses",
  ])
  assert.equal(foreign.runs.length, 1)
  await assert.rejects(generate('foreign', ''), {
    name: 'InvalidInputError',
    message:
      /^repository contains out-of-bounds symlinks\. file: top leads to the root of the repository.*remove it/,
  })
  assert.deepEqual(await generate('own', ''), { manifests: [object], warnings: [], identity: 'i' })
})

test('a link that leads out fails the applications that may read it and no other', async () => {
  await using mesh = await startMesh({
    'app/a.yaml': 'a',
    'other/passwd': { link: '/etc/passwd' },
    'other/b.yaml': 'b',
  })
  const server = await mesh.start('p.sock', { answer: () => manifests(object) })
  const plugin = await mesh.plugins.get('p')
  const call = (inputs: readonly string[], path: string) =>
    plugin.generate({ ...callOf(mesh.tree), inputs, path })
  assert.deepEqual((await call([''], 'app')).warnings, [
    'symlinks outside of the application\'s directory are left out: other/passwd leads out of the repository, to "/etc/passwd"',
  ])
  assert.deepEqual((await call(['app'], 'app')).warnings, [])
  const rejection = {
    name: 'InvalidInputError',
    message:
      /^repository contains out-of-bounds symlinks\. file: other\/passwd leads out of the repository.*annotation/,
  }
  await assert.rejects(call([''], 'other'), rejection)
  await assert.rejects(call(['app', 'other'], 'app'), rejection)
  assert.equal(server.runs.length, 2)
})
