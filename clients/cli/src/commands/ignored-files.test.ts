import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
const warning = (path: string) =>
  new RegExp(
    `${path} is left out, as git ignores it and a server does not have it; commit it if it is needed`,
  )

const script = `printf 'kind: ConfigMap\\napiVersion: v1\\nmetadata: {name: seen}\\ndata: {names: "%s"}\\n' "$(echo ../*)"`
const plugin = JSON.stringify({
  kind: 'ConfigManagementPlugin',
  metadata: { name: 'seen' },
  spec: { generate: { command: ['sh', '-c', script] }, discover: { fileName: 'own.txt' } },
})

/** A repository with files that git ignores beside those that it does not. */
async function startIgnoring() {
  const copy = await startWorkingCopy({
    '.gitignore': 'scratch.yaml\nnode_modules/\n*.local.yaml\n',
    'plain/kept.yaml': configMap('kept'),
    'plain/forced.local.yaml': configMap('forced'),
    'overlay/kustomization.yaml': 'resources: [base.local.yaml]\n',
    'ours/own.txt': '',
    'package/zarf.yaml':
      'kind: ZarfPackageConfig\nmetadata: {name: p}\nvalues: {files: [own.local.yaml]}\ncomponents: [{name: c}]\n',
    'plugin.yaml': plugin,
  })
  await copy.git.raw(['add', '--force', 'plain/forced.local.yaml'])
  await copy.write('plain/scratch.yaml', configMap('scratch'))
  await copy.write('plain/new.yaml', configMap('new'))
  await copy.write('overlay/base.local.yaml', configMap('base'))
  await copy.write('package/own.local.yaml', 'a: 1\n')
  await copy.write('node_modules/large/index.js', '')
  return copy
}

test('a local render has the new files of a checkout, and not those that git ignores', async () => {
  await using copy = await startIgnoring()
  const { stdout, stderr, code } = await copy.wadi(['render', 'plain', '-o', 'name'])
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(stdout.trim().split('\n'), ['configmap/forced', 'configmap/kept', 'configmap/new'])
})

test('an ignored file that a source names is missing, as on a server, and a warning says why', async () => {
  await using copy = await startIgnoring()
  for (const command of ['render', 'explain']) {
    const { stderr, code } = await copy.wadi([command, 'overlay'])
    assert.equal(code, 20, command)
    assert.match(stderr, warning('overlay/base\\.local\\.yaml'))
  }
  const linted = await copy.wadi(['values', 'lint', 'package'])
  assert.equal(linted.code, 20)
  assert.match(linted.stderr, warning('package/own\\.local\\.yaml'))
  const ignored = await copy.wadi(['render', 'node_modules/large'])
  assert.equal(ignored.code, 20)
  assert.match(ignored.stderr, warning('node_modules'))
})

test('a plugin is not sent what git ignores', async () => {
  await using copy = await startIgnoring()
  const sent = /names: \.\.\/ours \.\.\/overlay \.\.\/package \.\.\/plain \.\.\/plugin\.yaml$/m
  for (const command of [['render'], ['plugin', 'test']]) {
    const { stdout, stderr } = await copy.wadi([...command, '--plugin', 'plugin.yaml', 'ours'])
    assert.equal(stderr, '')
    assert.match(stdout, sent)
  }
})
