import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  DeleteApplicationRequestSchema,
  LabelApplicationRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { SearchApplicationsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { until } from '@wadi/testing/until.ts'
import { callBy } from '../authorization/policy-fixture.ts'
import { callContext, type GatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { openWith } from './application-access-fixture.ts'
import { changedApplicationRoutes } from './changed-applications.ts'
import { searchApplications } from './search-applications.ts'

const reader = 'p, ada, applications, get, dev/*, allow'
const writer = 'p, ada, applications, *, dev/*, allow'

function label(
  { context }: GatewayFixture,
  request: MessageInitShape<typeof LabelApplicationRequestSchema>,
  call = callContext(),
) {
  return changedApplicationRoutes(context).labelApplication(
    create(LabelApplicationRequestSchema, { name: 'web', ...request }),
    call,
  )
}

async function stored({ context }: GatewayFixture) {
  const application = await context.store.get('Application', 'argocd', 'web')
  assert.ok(application)
  return application
}

test('labels are set and removed, and the object is otherwise as it was', async () => {
  await using fixture = await openWith(writer)
  const { context } = fixture
  const secret = 'https://bot:hunter2@git.example.com/a.git'
  const drySource = { repoURL: secret, targetRevision: 'main', path: 'a' }
  const { metadata, ...rest } = sampleApplication('web', { project: 'dev', sourceHydrator: { drySource } })
  const { resourceVersion = '' } = (await stored(fixture)).metadata
  await context.store.update({
    ...rest,
    metadata: { ...metadata, resourceVersion, labels: { old: '1', kept: '1' } },
  })
  const asked = { labels: { team: 'shop' }, removed: ['old', 'none'] }
  const { application } = await label(fixture, asked, callBy('ada'))
  assert.doesNotMatch(JSON.stringify(application), /hunter2/)
  const { metadata: written, spec } = await stored(fixture)
  assert.deepEqual(written.labels, { kept: '1', team: 'shop' })
  assert.deepEqual(spec, rest.spec)
})

test('a write of another version than the stored one changes nothing; a status and a request for a hydration make no other', async () => {
  await using fixture = await openWith(writer)
  const { context } = fixture
  const versionNow = async () => {
    const { applications } = await searchApplications(context)(
      create(SearchApplicationsRequestSchema),
      callContext(),
    )
    return applications.map(({ version }) => version).join()
  }
  const version = await versionNow()
  const { metadata, ...rest } = await stored(fixture)
  const annotations = { 'argocd.argoproj.io/hydrate': 'hard' }
  const asked = await context.store.update({ ...rest, metadata: { ...metadata, annotations } })
  await context.store.updateStatus({ ...asked, status: { conditions: [] } })
  await label(fixture, { labels: { team: 'shop' }, version })
  const outdated = { name: 'ConflictError', message: /web was changed by somebody else/ }
  await assert.rejects(label(fixture, { labels: { team: 'web' }, version }), outdated)
  const remove = (seen: string) =>
    changedApplicationRoutes(context).deleteApplication(
      create(DeleteApplicationRequestSchema, { name: 'web', version: seen }),
      callContext(),
    )
  await assert.rejects(remove(version), outdated)
  assert.deepEqual((await stored(fixture)).metadata.labels, { team: 'shop' })
  await until(async () => (await versionNow()) !== version)
  await remove(await versionNow())
  assert.equal(await context.store.get('Application', 'argocd', 'web'), undefined)
})

test('labels that Kubernetes does not take, none at all and a missing right are refused', async () => {
  await using fixture = await openWith(reader)
  await assert.rejects(label(fixture, {}), { message: /labels and removed are both empty/ })
  const labels = { team: 'x'.repeat(60_000) }
  await assert.rejects(label(fixture, { labels }), {
    message: /metadata\.labels\["team"\]: .{0,120} is not a valid label value/,
  })
  await assert.rejects(label(fixture, { labels: { team: 'a' } }, callBy('ada')), {
    message: 'permission denied: applications, update, dev/web, sub: ada',
  })
  await assert.rejects(label(fixture, { labels: { team: 'a' } }, callBy('bob')), { name: 'NotFoundError' })
})
