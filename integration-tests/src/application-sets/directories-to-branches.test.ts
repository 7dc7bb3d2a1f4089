import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'
import {
  applicationNames,
  metadataOf,
  rejectionOf,
  setObject,
  trueConditions,
  waitForSet,
} from './set-fixture.ts'
import { applyWebhookSecret, notifyOfPush } from './webhook-fixture.ts'

const branch = 'environments/addons'
const name = 'cluster-addons'
const directory = 'examples/git-generator-directory/cluster-addons'

const mesh = await meshOfFile()
await applyWebhookSecret(mesh)
const repository = await mesh.fixture.createRepository('addons', {
  ...addon('argo-workflows'),
  ...addon('prometheus-operator'),
})

function addon(addonName: string, value = '1'): Record<string, string> {
  return { [`${directory}/${addonName}/config.yaml`]: configMap(addonName, value) }
}

function gone(...names: string[]): Record<string, undefined> {
  return Object.fromEntries(names.map((one) => [`${directory}/${one}/config.yaml`, undefined]))
}

/** The example of the proposal, whose Applications are hydrated. */
function clusterAddons(annotations: Record<string, string> = {}): JsonObject {
  const git = {
    repoURL: repository.url,
    revision: 'HEAD',
    directories: [{ path: `${directory}/*` }],
  }
  const hydrated = { repoURL: repository.url, path: '{{path}}', branch }
  const generators = [{ git }]
  const application = '{{path.basename}}'
  return setObject({ name, generators, application, project: 'default', hydrated, annotations })
}

const sets = () => mesh.fixture.gateway.applicationSets
const names = () => applicationNames(mesh.fixture.gateway)
const actions = (changes: { action: string; name: string }[]) =>
  changes.map((one) => `${one.action} ${one.name}`)

async function requireHydrated(drySha: string, ...applications: string[]): Promise<void> {
  for (const application of applications) await mesh.fixture.waitFor(application, isHydratedAt(drySha))
  for (const application of applications) {
    assert.match(
      await repository.read(branch, `${application}/manifest.yaml`),
      new RegExp(`name: ${application}\n`),
    )
  }
}

test('each directory of the repository becomes an Application of the set, with manifests on the hydrated branch', async () => {
  const answer = await sets().applyApplicationSet({ applicationSet: clusterAddons() })
  assert.equal(answer.outcome, 'created')
  assert.deepEqual(actions(answer.changes), ['create argo-workflows', 'create prometheus-operator'])
  const { uid } = metadataOf(answer.applicationSet)
  const { applications } = await mesh.fixture.gateway.applications.listApplications({})
  for (const application of applications) {
    assert.deepEqual(metadataOf(application).ownerReferences, [
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        name,
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
  }
  await requireHydrated(await repository.dry.head(), 'argo-workflows', 'prometheus-operator')
})

test('a directory that is pushed is on the branch after the signed webhook, and not after a forged one', async () => {
  const drySha = await repository.push(addon('grafana'))
  const forged = await notifyOfPush(mesh.address, repository.url, 'another secret')
  assert.deepEqual(forged, [401, 'the signature is wrong'])
  assert.deepEqual(await names(), ['argo-workflows', 'prometheus-operator'])
  const [status, text] = await notifyOfPush(mesh.address, repository.url)
  assert.equal(status, 200, text)
  assert.match(text, /^queued \d+ hydrated branch(?:es)? and 1 ApplicationSet$/)
  await waitForApplication('grafana')
  await requireHydrated(drySha, 'grafana')
})

/** Until it is there a watch of an Application delivers nothing. */
async function waitForApplication(application: string): Promise<void> {
  await waitForSet(mesh.fixture.gateway, name, (set) => {
    const { status } = set as { status?: { resources?: { name: string }[] } }
    return status?.resources?.some((one) => one.name === application) ?? false
  })
}

test('a directory that is pushed is on the branch after a refresh, and one that is deleted has no Application', async () => {
  const drySha = await repository.push({ ...addon('loki'), ...gone('grafana') })
  const answer = await sets().refreshApplicationSet({ name })
  assert.equal(answer.withheld, '')
  const expected = [
    'unchanged argo-workflows',
    'delete grafana',
    'create loki',
    'unchanged prometheus-operator',
  ]
  assert.deepEqual(actions(answer.changes), expected)
  await requireHydrated(drySha, 'loki')
  assert.deepEqual(await names(), ['argo-workflows', 'loki', 'prometheus-operator'])
})

test('a repository that fails changes nothing, whoever asks, and the set reports it until it works again', async () => {
  const stored = await mesh.fixture.gateway.applications.listApplications({})
  const drySha = await repository.push(addon('tempo'))
  mesh.git.listen(() => 500)
  assert.match((await rejectionOf(sets().refreshApplicationSet({ name }))) ?? '', /addons\.git.*500/)
  assert.match(
    (await rejectionOf(
      sets().applyApplicationSet({ applicationSet: clusterAddons({ changed: 'yes' }), upsert: true }),
    )) ?? '',
    /addons\.git.*500/,
  )
  await notifyOfPush(mesh.address, repository.url)
  const failing = await waitForSet(mesh.fixture.gateway, name, (set) =>
    trueConditions(set).has('ErrorOccurred'),
  )
  const condition = trueConditions(failing).get('ErrorOccurred')
  assert.equal(condition?.reason, 'ApplicationGenerationFromParamsError')
  assert.match(condition.message, /addons\.git.*500/)
  assert.deepEqual(
    await names(),
    stored.applications.map((one) => metadataOf(one).name),
  )
  mesh.git.listen(undefined)
  await notifyOfPush(mesh.address, repository.url)
  await waitForApplication('tempo')
  await requireHydrated(drySha, 'tempo')
})

test('when six of seven directories go the Applications stay until somebody confirms it', async () => {
  await repository.push({ ...addon('one'), ...addon('two'), ...addon('three') })
  await sets().refreshApplicationSet({ name })
  const all = ['argo-workflows', 'loki', 'one', 'prometheus-operator', 'tempo', 'three', 'two']
  assert.deepEqual(await names(), all)
  await repository.push(gone(...all.slice(1)))
  await notifyOfPush(mesh.address, repository.url)
  const waiting = await waitForSet(mesh.fixture.gateway, name, (set) =>
    trueConditions(set).has('DeletionsWithheld'),
  )
  const withheld = trueConditions(waiting).get('DeletionsWithheld')?.message ?? ''
  assert.match(withheld, /6 of .*7/)
  assert.deepEqual(await names(), all)
  const unconfirmed = await sets().refreshApplicationSet({ name })
  assert.equal(unconfirmed.withheld, withheld)
  assert.deepEqual(actions(unconfirmed.changes), [
    'unchanged argo-workflows',
    ...all.slice(1).map((one) => `keep ${one}`),
  ])
  const confirmed = await sets().refreshApplicationSet({ name, confirmDeletions: true })
  assert.equal(confirmed.withheld, '')
  await waitForSet(
    mesh.fixture.gateway,
    name,
    (set) => [...trueConditions(set).keys()].join() === 'Authorized,ParametersGenerated,ResourcesUpToDate',
  )
  assert.deepEqual(await names(), ['argo-workflows'])
})

test('when nothing is left the last Application stays, unless the set allows to be empty', async () => {
  await repository.push(gone('argo-workflows'))
  assert.match((await sets().refreshApplicationSet({ name })).withheld, /allow-empty/)
  assert.deepEqual(await names(), ['argo-workflows'])
  const applicationSet = clusterAddons({ 'wadi.dev/allow-empty': 'true' })
  const { changes, withheld } = await sets().applyApplicationSet({ applicationSet, upsert: true })
  assert.deepEqual([actions(changes), withheld], [['delete argo-workflows'], ''])
  assert.deepEqual(await names(), [])
  assert.deepEqual((await sets().deleteApplicationSet({ name })).applications, [])
})
