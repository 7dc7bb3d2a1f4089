import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { loggedMessage, runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'
import { condition, sampleApplicationSet, upToDateStatus } from '../testing/sample-application-set-fixture.ts'

function ownedApplication(name: string, set: string) {
  const application = sampleApplication(name, { phase: 'Hydrated', dry: '2' })
  const ownerReferences = [{ kind: 'ApplicationSet', name: set, uid: `uid-${set}`, controller: true }]
  return { ...application, metadata: { ...objectAt(application, 'metadata'), ownerReferences } }
}

test('the block is that of argocd, and below it are the Applications that the set owns', async () => {
  await using gateway = await Gateway.start()
  gateway.applicationSets.stored.set(
    'argocd/guestbook',
    sampleApplicationSet('guestbook', {}, upToDateStatus),
  )
  gateway.applications.set('dev', ownedApplication('dev', 'guestbook'))
  gateway.applications.set('other', ownedApplication('other', 'another'))
  const { stdout, stderr, code } = await runWadi(['appset', 'get', 'guestbook'], {
    environment: gateway.environment,
  })
  assert.deepEqual([stderr, code], ['', 0])
  assert.equal(
    stdout,
    `Name:               argocd/guestbook
Project:            default
Server:             {{cluster.address}}
Namespace:          guestbook
Health Status:      Healthy
Source:
- Repo:             https://git.example.com/deploy.git
  Target:           HEAD
  Path:             {{path}}
SyncPolicy:         <none>

CONDITION            STATUS  MESSAGE                                                 LAST TRANSITION
ErrorOccurred        False   All applications have been generated successfully       2026-08-22 19:54:34 +0000 UTC
ParametersGenerated  True    Successfully generated parameters for all Applications  2026-08-22 19:54:34 +0000 UTC
ResourcesUpToDate    True    All applications have been generated successfully       2026-08-22 19:54:34 +0000 UTC

APPLICATION  PROJECT  STATUS    DRY-SHA  HYDRATED-SHA
dev          default  Hydrated  2222222  aaaaaaa
`,
  )
})

test('several sources, a hydrated template and deletions that wait are shown', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  const destination = { name: 'east' }
  const sources = [
    { repoURL: 'https://a', targetRevision: '1', chart: 'web', helm: { valueFiles: ['a.yaml', 'b.yaml'] } },
    { repoURL: 'https://b', targetRevision: '2', path: 'p', ref: 'values', kustomize: { namePrefix: 'x-' } },
  ]
  const syncPolicy = { automated: { prune: true } }
  applicationSets.stored.set(
    'argocd/several',
    sampleApplicationSet(
      'several',
      { template: { spec: { project: 'web', destination, sources, syncPolicy } } },
      { conditions: [condition('DeletionsWithheld', 'True', '8 of 10\nApplications \u001b[2Jstay')] },
    ),
  )
  const several = await runWadi(['appset', 'get', 'several'], { environment })
  assert.match(
    several.stdout,
    /^Server: {13}east\nNamespace: {10}\nHealth Status: {6}\nSources:\n- Repo: {13}https:\/\/a\n {2}Target: {11}1\n {2}Chart: {12}web\n {2}Helm Values: {6}a\.yaml,b\.yaml\n- Repo: {13}https:\/\/b\n {2}Target: {11}2\n {2}Path: {13}p\n {2}Name Prefix: {6}x-\n {2}Ref: {14}values\nSyncPolicy: {9}Automated \(Prune\)$/m,
  )
  assert.match(
    several.stdout,
    /^DeletionsWithheld {2}True {4}8 of 10 Applications \\x1b\[2Jstay {2}2026-08-22 /m,
  )
  assert.match(several.stdout, /\nIt owns no Application\.\n$/)
  const drySource = { repoURL: 'https://dry', targetRevision: 'main', path: 'apps' }
  const sourceHydrator = { drySource, syncSource: { targetBranch: 'environments/prod', path: 'web' } }
  applicationSets.stored.set(
    'argocd/dry',
    sampleApplicationSet('dry', { template: { spec: { sourceHydrator } } }),
  )
  const dry = await runWadi(['appset', 'get', 'dry'], { environment })
  assert.match(
    dry.stdout,
    /^Source:\n- Repo: {13}https:\/\/dry\n {2}Target: {11}main\n {2}Path: {13}apps\nHydrate To: {9}environments\/prod\n {2}Path: {13}web\nSyncPolicy: {9}<none>$/m,
  )
})

test('JSON and YAML are the set as it is', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  const set = sampleApplicationSet('guestbook', {}, upToDateStatus)
  gateway.applicationSets.stored.set('teams/guestbook', set)
  const get = async (...words: string[]) =>
    (await runWadi(['appset', 'get', ...words], { environment })).stdout
  assert.deepEqual(JSON.parse(await get('teams/guestbook', '-o', 'json')), set)
  assert.deepEqual(parse(await get('guestbook', '-N', 'teams', '-o', 'yaml')), set)
})

test('a set that does not exist or is not visible ends with 20', async () => {
  await using gateway = await Gateway.start()
  const { stdout, stderr, code } = await runWadi(['appset', 'get', 'nope'], {
    environment: gateway.environment,
  })
  assert.deepEqual([stdout, code], ['', 20])
  assert.equal(
    loggedMessage(stderr),
    'rpc error: code = NotFound desc = ApplicationSet argocd/nope does not exist',
  )
})

test('the Helm parameters of the template are shown on request', async () => {
  await using gateway = await Gateway.start()
  const { environment, applicationSets } = gateway
  const parameters = [{ name: 'replicas', value: '{{count}}' }]
  const template = { spec: { source: { repoURL: 'https://git.example.com/x.git', helm: { parameters } } } }
  applicationSets.stored.set('argocd/a', sampleApplicationSet('a', { template }))
  applicationSets.stored.set('argocd/b', sampleApplicationSet('b'))
  const shown = await runWadi(['appset', 'get', 'a', '--show-params'], { environment })
  assert.match(shown.stdout, /\n\nNAME {6}VALUE\nreplicas {2}\{\{count\}\}\n$/)
  const none = await runWadi(['appset', 'get', 'b', '--show-params'], { environment })
  assert.match(none.stdout, /\nIts template sets no Helm parameter\.\n$/)
})
