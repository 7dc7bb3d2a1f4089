import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { supplyChainFiles } from '@wadi/testing/supply-chain-files.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const files = {
  ...supplyChainFiles,
  'packages/web/values.yaml': 'app: {name: web, replicas: 1, logLevel: warn, limits: {}}\n',
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'charts/web/values.yaml': 'replicas: 1\nlevel: info\n',
  'charts/web/prod.yaml': 'replicas: 2\nlevel: warn\n',
  'charts/web/templates/all.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {level: "{{ .Values.level }}", kind: {{ kindOf .Values.replicas }}, replicas: "{{ .Values.replicas }}"}\n',
  'overlays/web/kustomization.yaml': 'resources: [all.yaml]\n',
  'overlays/web/all.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n',
  'plain/all.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n',
}

test('a package takes values from files of the current directory and settings, the latter winning', async () => {
  await using copy = await startWorkingCopy(files)
  await copy.write('trials/trial.yaml', 'app: {replicas: 7, logLevel: trace}\n')
  const { stdout, stderr, code } = await copy.wadi(
    ['render', '../packages/web', '-f', 'trial.yaml', '--set-values', 'app.logLevel=debug,app.name=tried'],
    join(copy.root, 'trials'),
  )
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^ {2}level: debug$/m)
  assert.match(stdout, /^ {2}name: tried$/m)
  assert.match(stdout, /^ {2}replicas: 7$/m)
})

test('a workload takes the keys as its params, and those that have no effect are reported', async () => {
  await using copy = await startWorkingCopy(files)
  const { stdout, stderr } = await copy.wadi([
    'render',
    'apps/shop/prod',
    '--set-values',
    'replicas=9',
    '--set-values',
    'colour=red',
  ])
  assert.match(stdout, /^ {2}replicas: 9$/m)
  assert.match(
    stderr,
    /workload param \\?"colour\\?" ignored: supply chain \\?"web\\?" does not list it \(--set-values\)/,
  )
  const plain = await copy.wadi(['render', 'apps/shop/prod'])
  assert.match(plain.stdout, /^ {2}replicas: 5$/m)
})

test('a chart takes value files of its own directory, and settings as parameters', async () => {
  await using copy = await startWorkingCopy(files)
  const { stdout, stderr } = await copy.wadi([
    'render',
    'charts/web',
    '-f',
    'prod.yaml',
    '--set-values',
    '.replicas=3',
  ])
  assert.match(stdout, /kind: int64\n {2}level: warn\n {2}replicas: "3"/, stderr)
  const text = await copy.wadi([
    'render',
    'charts/web',
    '--set',
    'level=debug',
    '--set-values',
    "replicas='3'",
  ])
  assert.match(text.stdout, /kind: string\n {2}level: debug\n {2}replicas: "3"/, text.stderr)
  // What somebody tries out is not an Application's, so that nothing has to be moved to git.
  assert.deepEqual([stderr, text.stderr], ['', ''])
  const { stdout: explained } = await copy.wadi([
    'explain',
    'charts/web',
    '--set-values',
    'replicas=3',
    '-f',
    'prod.yaml',
  ])
  assert.match(explained, /^\.replicas +3 +--set +charts\/web\/prod\.yaml:1 /m)
  assert.match(explained, /^\.level +warn +charts\/web\/prod\.yaml:2 /m)
  assert.doesNotMatch(explained, /Application|not in git/)
})

test('values for a source without values are an error', async () => {
  await using copy = await startWorkingCopy(files)
  const runs: [string[], RegExp][] = [
    [['overlays/web', '--set-values', 'a=b'], /overlays\/web is a kustomization, which takes no values/],
    [['overlays/web', '-f', 'v.yaml'], /overlays\/web is a kustomization, which takes no values/],
    [
      ['plain', '--set-values', 'a=b'],
      /plain is a plain directory or the source of a plugin, which takes no values/,
    ],
    [['packages/web', '--set', 'a=b'], /--set is for charts, not for packages\/web: take --set-values/],
    [['packages/web', '-f', 'none.yaml'], /none\.yaml/],
    [['packages/web', '--set-values', 'a'], /must be formatted as key=value/],
  ]
  for (const [args, message] of runs) {
    const { stdout, stderr, code } = await copy.wadi(['render', ...args])
    assert.deepEqual([stdout, code], ['', 20])
    assert.match(stderr, message)
  }
  await copy.write('packages/web/.argocd-source.yaml', 'directory: {}\n')
  const refused = await copy.wadi(['render', 'packages/web', '--set-values', 'a=b'])
  assert.match(refused.stderr, /is a package, as it has a zarf\.yaml, and has options of another renderer/)
  await copy.write('apps/shop/prod/.argocd-source.yaml', 'directory: {}\n')
  const plain = await copy.wadi(['render', 'apps/shop/prod', '--set-values', 'a=b'])
  assert.match(plain.stderr, /apps\/shop\/prod is rendered by directory, which takes no values/)
})
