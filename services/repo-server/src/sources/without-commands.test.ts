import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { testPlugin, testPlugins } from '@wadi/rendering/renderers/plugin/plugins-fixture.ts'
import { configMap, names, startBed } from './source-renderer-fixture.ts'

const { signal } = new AbortController()
const remote = { by: 'remote' } as const

test('the source of a plugin that must be asked is an error for a fork when it changed, and what it was when it did not', async () => {
  const plugin = testPlugin('cdk', { discovery: remote })
  await using bed = await startBed({ 'app/a.txt': 'one' }, testPlugins(plugin))
  const inspectFork = () => bed.renderer.inspect({ ...bed.dry('app'), withoutCommands: true }, signal)
  await assert.rejects(inspectFork(), {
    name: FailedPreconditionError.name,
    message: /the plugin "cdk" is not run for a revision that comes from a fork/,
  })
  assert.equal(plugin.matched.length, 0)
  const { fingerprint } = await bed.renderer.inspect(bed.dry('app'), signal)
  assert.equal(plugin.matched.length, 1)
  assert.equal((await inspectFork()).fingerprint, fingerprint)
  bed.fixture.write('app/a.txt', 'two')
  await assert.rejects(inspectFork(), FailedPreconditionError)
  assert.equal(plugin.matched.length, 1)
})

test('a named plugin is not run for a fork, and what it made of the same files is read from the cache', async () => {
  const plugin = testPlugin('cdk')
  await using bed = await startBed({ 'app/a.txt': 'one' }, testPlugins(plugin))
  const options = JSON.stringify({ plugin: { name: 'cdk' } })
  const fromFork = { ...bed.dry('app', options), withoutCommands: true }
  await assert.rejects(bed.renderer.render(fromFork, false, signal), FailedPreconditionError)
  assert.equal(plugin.generated.length, 0)
  await bed.renderer.render(bed.dry('app', options), false, signal)
  const runs = plugin.generated.length
  assert.deepEqual(names((await bed.renderer.render(fromFork, false, signal)).manifests), ['cdk'])
  assert.equal(plugin.generated.length, runs)
})

test('what no command renders is the same for a fork', async () => {
  await using bed = await startBed({ 'app/a.yaml': configMap('one') })
  const first = await bed.renderer.inspect(bed.dry('app'), signal)
  const fromFork = { ...bed.dry('app'), withoutCommands: true }
  assert.equal((await bed.renderer.inspect(fromFork, signal)).fingerprint, first.fingerprint)
  bed.fixture.write('app/a.yaml', configMap('two'))
  assert.deepEqual(names((await bed.renderer.render(fromFork, false, signal)).manifests), ['two'])
})
