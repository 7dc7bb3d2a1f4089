import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseApplication } from '@wadi/resources/application/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { openGatewayFixture, repoURL, sampleApplication, storeWithStatus } from '../gateway-fixture.ts'
import { dryRequest, storeObject, validateSource } from './store-application.ts'

const never = new AbortController().signal
const permit = (): void => undefined

function changed(name: string, metadata: Partial<Resource['metadata']> = {}): Resource {
  const application = sampleApplication(name, { project: 'shop' })
  return { ...application, metadata: { ...application.metadata, ...metadata } }
}

test('a new object is created, an equal one is unchanged, a different one is updated on request', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const outcomes = []
  for (const wanted of [sampleApplication('web'), sampleApplication('web'), changed('web')])
    outcomes.push((await storeObject(context, wanted, { replace: true, permit })).outcome)
  assert.deepEqual(outcomes, ['created', 'unchanged', 'updated'])
  const stored = await context.store.get('Application', 'argocd', 'web')
  assert.equal(stored?.spec?.['project'], 'shop')
  assert.equal(stored?.metadata.generation, 2)
})

test('a different object is refused without replace, with the message of argocd, and stays as it is', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const { resource } = await storeObject(context, sampleApplication('web'), { replace: false, permit })
  assert.equal(
    (await storeObject(context, sampleApplication('web'), { replace: false, permit })).outcome,
    'unchanged',
  )
  await assert.rejects(storeObject(context, changed('web'), { replace: false, permit }), {
    name: 'InvalidInputError',
    message: 'existing application spec is different; use upsert flag to force update of argocd/web',
  })
  assert.deepEqual(await context.store.get('Application', 'argocd', 'web'), resource)
})

test('labels, annotations and finalizers are differences, keys in another order do not', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeObject(context, sampleApplication('web'), { replace: true, permit })
  const { spec } = sampleApplication('web')
  const reordered = {
    ...sampleApplication('web'),
    spec: Object.fromEntries(Object.entries(spec ?? {}).toReversed()),
  }
  assert.equal((await storeObject(context, reordered, { replace: true, permit })).outcome, 'unchanged')
  const differences: Partial<Resource['metadata']>[] = [
    { labels: { team: 'shop' } },
    { annotations: { note: 'x' } },
    { finalizers: ['resources-finalizer.argocd.argoproj.io'] },
  ]
  for (const metadata of differences) {
    const application = sampleApplication('web')
    const wanted = { ...application, metadata: { ...application.metadata, ...metadata } }
    assert.equal((await storeObject(context, wanted, { replace: true, permit })).outcome, 'updated')
    const stored = await context.store.get('Application', 'argocd', 'web')
    for (const [field, value] of Object.entries(metadata)) assert.deepEqual(stored?.metadata[field], value)
  }
})

test('an update leaves the status alone', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const status = { health: { status: 'Healthy' } }
  await storeWithStatus(context, { ...sampleApplication('web'), status })
  assert.equal(
    (await storeObject(context, sampleApplication('web'), { replace: true, permit })).outcome,
    'unchanged',
  )
  assert.equal((await storeObject(context, changed('web'), { replace: true, permit })).outcome, 'updated')
  assert.deepEqual((await context.store.get('Application', 'argocd', 'web'))?.status, status)
})

test('an update that read an older version loses', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const { resource } = await storeObject(context, sampleApplication('web'), { replace: true, permit })
  await storeObject(context, changed('web'), { replace: true, permit })
  const { resourceVersion = '' } = resource.metadata
  const stale = changed('web', { resourceVersion, labels: { a: 'b' } })
  await assert.rejects(storeObject(context, stale, { replace: true, permit }), { name: 'ConflictError' })
})

test('a dry run returns the outcome and stores nothing', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const options = { replace: true, dryRun: true, permit }
  assert.equal((await storeObject(context, sampleApplication('web'), options)).outcome, 'created')
  assert.equal(await context.store.get('Application', 'argocd', 'web'), undefined)
  const { resource } = await storeObject(context, sampleApplication('web'), { replace: true, permit })
  const { outcome, resource: next } = await storeObject(context, changed('web'), options)
  assert.deepEqual([outcome, next.spec?.['project']], ['updated', 'shop'])
  assert.deepEqual(await context.store.get('Application', 'argocd', 'web'), resource)
})

test('a Secret with the same values as texts and in base64 is unchanged', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const secret: Resource = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'argocd' } }
  await storeObject(context, { ...secret, stringData: { key: 'value' } }, { replace: true, permit })
  const encoded = { ...secret, data: { key: Buffer.from('value').toString('base64') } }
  assert.equal((await storeObject(context, encoded, { replace: true, permit })).outcome, 'unchanged')
  const other = { ...secret, stringData: { key: 'other' } }
  assert.equal((await storeObject(context, other, { replace: true, permit })).outcome, 'updated')
})

test('a source is validated at the commit that its revision names now', async () => {
  await using fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: () => ({ revisions: [{ revision: 'main', sha: 'd'.repeat(40) }] }),
      inspectSources: () => ({ inspections: [{ fingerprint: 'f' }] }),
    },
  })
  await validateSource(fixture.context, sampleApplication('web'), never)
  assert.deepEqual(fixture.calls, ['RepoServerService/ResolveRevisions', 'RepoServerService/InspectSources'])
  const [resolve, inspect] = fixture.requests
  assert.deepEqual(resolve, {
    repoUrl: repoURL,
    project: 'default',
    revisions: ['main'],
    refresh: true,
    branches: [],
    probe: false,
    announced: [],
    chart: '',
    held: [],
    moveRanges: false,
    atOnce: false,
  })
  assert.equal(inspect?.['sha'], 'd'.repeat(40))
})

test('a revision that does not exist and a source that cannot be rendered are reported', async () => {
  const answers = { revision: { sha: '', error: 'revision main was not found' }, inspection: { error: '' } }
  await using fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: () => ({ revisions: [answers.revision] }),
      inspectSources: () => ({ inspections: [answers.inspection] }),
    },
  })
  const validate = () => validateSource(fixture.context, sampleApplication('web'), never)
  await assert.rejects(validate, { name: 'NotFoundError', message: 'revision main was not found' })
  answers.revision = { sha: 'd'.repeat(40), error: '' }
  answers.inspection = { error: 'apps/web does not exist' }
  await assert.rejects(validate, { name: 'InvalidInputError', message: 'apps/web does not exist' })
})

test('an Application that is not hydrated needs no validation', async () => {
  await using fixture = await openGatewayFixture()
  const plain = { ...sampleApplication('web'), spec: { destination: {} } }
  await validateSource(fixture.context, plain, never)
  assert.deepEqual(fixture.calls, [])
  assert.throws(() => dryRequest(parseApplication(plain)), { name: 'FailedPreconditionError' })
})

test('repo-server receives the options of a dry source as JSON, and none when there are none', () => {
  const source = (drySource: object) =>
    dryRequest(
      parseApplication(
        sampleApplication('web', {
          sourceHydrator: { drySource: { repoURL, targetRevision: 'v1', path: 'a', ...drySource } },
        }),
      ),
    ).source
  assert.equal(source({}).optionsJson, '')
  assert.deepEqual(source({ helm: { releaseName: 'x' } }), {
    path: 'a',
    targetRevision: 'v1',
    optionsJson: '{"helm":{"releaseName":"x"}}',
    destinationNamespace: 'shop',
    applicationName: 'web',
    instanceName: 'web',
    projectName: 'default',
    manifestGeneratePaths: '',
  })
})

test('what may not be stored is refused, and a dry run returns no more than that', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const seen: unknown[] = []
  const refuse = (stored: Resource | undefined): void => {
    seen.push(stored?.spec?.['project'])
    throw new Error('refused')
  }
  for (const dryRun of [true, false]) {
    const options = { replace: true, dryRun, permit: refuse }
    await assert.rejects(storeObject(context, sampleApplication('web'), options), { message: 'refused' })
  }
  const stored = await context.store.create(sampleApplication('web'))
  await assert.rejects(storeObject(context, changed('web'), { replace: true, permit: refuse }))
  assert.deepEqual(await context.store.get('Application', 'argocd', 'web'), stored)
  assert.deepEqual(seen, [undefined, undefined, 'default'])
})

test('what is stored is the version that was permitted, whichever the user names', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const first = await context.store.create(sampleApplication('web'))
  const wanted = changed('web', { resourceVersion: String(Number(first.metadata.resourceVersion) + 1) })
  const moved = { ...first, spec: { ...first.spec, project: 'prod' } }
  // Somebody moves it between the question and the write, to the version that the user knew beforehand.
  const update = context.store.update.bind(context.store)
  context.store.update = async (resource) => {
    context.store.update = update
    await context.store.update(moved)
    return context.store.update(resource)
  }
  await assert.rejects(storeObject(context, wanted, { replace: true, permit }), { name: 'ConflictError' })
  context.store.update = update
  const stored = await context.store.get('Application', 'argocd', 'web')
  assert.equal(stored?.spec?.['project'], 'default')
})

test('what the server alone has of an object is kept', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await context.store.create(sampleApplication('web', { secret: 1 }))
  const keep = (wanted: Resource, stored: Resource): Resource => ({
    ...wanted,
    spec: { ...wanted.spec, secret: stored.spec?.['secret'] },
  })
  const options = { replace: true, permit, keep }
  assert.equal((await storeObject(context, sampleApplication('web'), options)).outcome, 'unchanged')
  const { resource } = await storeObject(
    context,
    sampleApplication('web', { secret: 2, project: 'x' }),
    options,
  )
  assert.deepEqual([resource.spec?.['secret'], resource.spec?.['project']], [1, 'x'])
})
