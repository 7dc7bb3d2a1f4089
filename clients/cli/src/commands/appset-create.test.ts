import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { Gateway } from '../testing/gateway-fixture.ts'
import { loggedMessage, runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import {
  applicationSetText,
  condition,
  sampleApplicationSet,
  upToDateStatus,
} from '../testing/sample-application-set-fixture.ts'

const clusterAddons = `# cluster-addons.yaml:
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: cluster-addons
spec:
  generators:
  - git:
      repoURL: https://github.com/argoproj-labs/applicationset.git
      revision: HEAD
      directories:
      - path: examples/git-generator-directory/cluster-addons/*
  template:
    metadata:
      name: '{{path.basename}}'
    spec:
      project: default
      source:
        repoURL: https://github.com/argoproj-labs/applicationset.git
        targetRevision: HEAD
        path: '{{path}}'
      destination:
        server: https://kubernetes.default.svc
        namespace: '{{path.basename}}'
`

test('the file of the proposal is created, reported on standard error and summed up on standard output', async () => {
  await using gateway = await Gateway.start()
  await using directory = await temporaryDirectory()
  await writeFile(join(directory.path, 'cluster-addons.yaml'), clusterAddons)
  const { stdout, stderr, code } = await runWadi(['appset', 'create', 'cluster-addons.yaml'], {
    environment: gateway.environment,
    directory: directory.path,
  })
  assert.deepEqual([stderr, code], ["ApplicationSet 'cluster-addons' created\n", 0])
  assert.equal(
    stdout,
    `Name:               argocd/cluster-addons
Project:            default
Server:             https://kubernetes.default.svc
Namespace:          {{path.basename}}
Health Status:      ${''}
Source:
- Repo:             https://github.com/argoproj-labs/applicationset.git
  Target:           HEAD
  Path:             {{path}}
SyncPolicy:         <none>
`,
  )
  assert.deepEqual(gateway.applicationSets.calls, [
    'dry-run argocd/cluster-addons',
    'apply argocd/cluster-addons',
  ])
})

test('a set that is stored as it is stays, and one that differs needs --upsert', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  const create = (name: string, ...flags: string[]) =>
    runWadi(['appset', 'create', '-', ...flags], { environment, input: applicationSetText(name) })
  applicationSets.stored.set('argocd/a', sampleApplicationSet('a', {}))
  const refused = await create('a')
  assert.deepEqual([refused.stdout, refused.code], ['', 20])
  assert.equal(
    loggedMessage(refused.stderr),
    '-:1: a: rpc error: code = InvalidArgument desc = existing ApplicationSet spec is different, use upsert flag to force update of a',
  )
  const tried = await create('a', '--upsert', '--dry-run')
  assert.deepEqual([tried.stderr, tried.code], ["ApplicationSet 'a' updated (dry-run)\n", 0])
  const updated = await create('a', '--upsert')
  assert.deepEqual([updated.stderr, updated.code], ["ApplicationSet 'a' updated\n", 0])
  const unchanged = await create('a')
  assert.deepEqual([unchanged.stderr, unchanged.code], ["ApplicationSet 'a' unchanged\n", 0])
})

test('one set as JSON or YAML stands alone, several are a list, and nothing else is on standard output', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  const create = async (text: string, format: string) =>
    (await runWadi(['appset', 'create', '-', '-N', 'teams', '-o', format], { environment, input: text }))
      .stdout
  const one = { ...parse(applicationSetText('a')) }
  one.metadata = { namespace: 'teams', uid: 'uid-a', resourceVersion: '7', name: 'a' }
  assert.deepEqual(JSON.parse(await create(applicationSetText('a'), 'json')), one)
  const two = parse(await create(`${applicationSetText('a')}---\n${applicationSetText('b')}`, 'yaml'))
  assert.deepEqual([two.length, two[0]], [2, one])
})

test('a set that the server refuses keeps the others from being written', async () => {
  await using gateway = await Gateway.start()
  await using directory = await temporaryDirectory()
  const { applicationSets, environment } = gateway
  applicationSets.refused.add('c')
  await writeFile(
    join(directory.path, 'ab.yaml'),
    `${applicationSetText('a')}---\n${applicationSetText('b')}`,
  )
  await writeFile(join(directory.path, 'c.yaml'), `# third\n${applicationSetText('c')}`)
  const { stdout, stderr, code } = await runWadi(['appset', 'create', 'ab.yaml', 'c.yaml'], {
    environment,
    directory: directory.path,
  })
  assert.deepEqual([stdout, code], ['', 20])
  const reason = 'permission denied: applications, create, default/x, sub: ada'
  assert.equal(loggedMessage(stderr), `c.yaml:2: c: rpc error: code = PermissionDenied desc = ${reason}`)
  assert.deepEqual(applicationSets.calls, ['dry-run argocd/a', 'dry-run argocd/b', 'dry-run argocd/c'])
})

test('a set that occurs twice is refused before anything is sent', async () => {
  await using gateway = await Gateway.start()
  const { stderr, code } = await runWadi(['appset', 'create', '-', '-N', 'teams'], {
    environment: gateway.environment,
    input: `${applicationSetText('a')}---\n${applicationSetText('a').replace('name: a', 'name: a\n  namespace: teams')}`,
  })
  assert.equal(code, 20)
  assert.equal(loggedMessage(stderr), 'ApplicationSet teams/a occurs twice, in -:1 and -:8; remove one')
  assert.deepEqual(gateway.calls, [])
})

test('the example with its command below is refused with a hint', async () => {
  await using gateway = await Gateway.start()
  const { stderr, code } = await runWadi(['appset', 'create', '-'], {
    environment: gateway.environment,
    input: `${clusterAddons}\n# Create the above ApplicationSet\nargocd appset create cluster-addons.yaml\n`,
  })
  assert.equal(code, 20)
  assert.match(
    loggedMessage(stderr),
    /^-:27: "argocd appset create cluster-addons\.yaml" is a command, not YAML/,
  )
  assert.deepEqual(gateway.calls, [])
})

test('--wait ends when the state says that the Applications are there, over a connection that breaks', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  const old = { conditions: [condition('ErrorOccurred', 'True', 'an old one')] }
  applicationSets.stored.set('argocd/a', sampleApplicationSet('a', { generators: [] }, old))
  const pending = sampleApplicationSet('a', {}, { conditions: [condition('ErrorOccurred', 'False', '')] })
  applicationSets.comingStates.push(pending, sampleApplicationSet('a', {}, upToDateStatus))
  const args = ['appset', 'create', '-', '--upsert', '--wait', '--timeout', '60']
  const { stdout, code } = await runWadi(args, { environment, input: applicationSetText('a') })
  assert.equal(code, 0)
  assert.match(stdout, /^Health Status: {6}Healthy$/m)
  assert.equal(applicationSets.comingStates.length, 0)
})

test('--wait ends with the error that appears, and when the time is over', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  const broken = { conditions: [condition('ErrorOccurred', 'True', 'the repository is gone')] }
  applicationSets.comingStates.push(sampleApplicationSet('a', {}, broken))
  const args = ['appset', 'create', '-', '--wait', '--timeout', '1']
  const failed = await runWadi(args, { environment, input: applicationSetText('a') })
  assert.equal(failed.code, 20)
  assert.match(failed.stderr, /ApplicationSet 'a' is in error: the repository is gone/)
  const late = await runWadi(args, { environment, input: applicationSetText('b') })
  assert.equal(late.code, 20)
  assert.match(late.stderr, /waited 1 s for ApplicationSet 'b' to be up to date/)
})
