import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import {
  DeleteApplicationRequestSchema,
  GetApplicationRequestSchema,
  GetCommitChangesRequestSchema,
  GetManifestsRequestSchema,
  GetParametersRequestSchema,
  HydrateApplicationRequestSchema,
  ListApplicationsRequestSchema,
  ListHistoryRequestSchema,
  PreviewParametersRequestSchema,
  SetParametersRequestSchema,
  UpdateApplicationRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { GetGatesRequestSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { toStruct } from '../applications/read-application.ts'
import { callBy } from '../authorization/policy-fixture.ts'
import type { GatewayContext } from '../context.ts'
import { application, openWith } from './application-access-fixture.ts'
import { callContext } from '../gateway-fixture.ts'
import { changedApplicationRoutes } from './changed-applications.ts'
import { getApplication } from './get-application.ts'
import { getCommitChanges } from './get-commit-changes.ts'
import { getGates } from './get-gates.ts'
import { getManifests } from './get-manifests.ts'
import { getParameters } from './get-parameters.ts'
import { listApplications } from './list-applications.ts'
import { runRoutes } from './runs.ts'
import { previewParameters } from './preview-parameters.ts'
import { setParameters } from './set-parameters.ts'

const name = 'web'
const labelled = toStruct({ ...application('dev'), metadata: { name, labels: { team: 'shop' } } })
const changes = { assignments: [{ target: 'replicas', value: '3' }] }

const calls: [
  rpc: string,
  action: string,
  invoke: (context: GatewayContext, call: HandlerContext) => Promise<unknown>,
][] = [
  [
    'GetApplication',
    'get',
    (context, call) => getApplication(context)(create(GetApplicationRequestSchema, { name }), call),
  ],
  [
    'GetApplication with a refresh',
    'sync',
    (context, call) =>
      getApplication(context)(create(GetApplicationRequestSchema, { name, refresh: 'normal' }), call),
  ],
  [
    'GetManifests',
    'get',
    (context, call) => getManifests(context)(create(GetManifestsRequestSchema, { name }), call),
  ],
  [
    'ListHistory',
    'get',
    (context, call) => runRoutes(context).listHistory(create(ListHistoryRequestSchema, { name }), call),
  ],
  [
    'GetParameters',
    'get',
    (context, call) => getParameters(context)(create(GetParametersRequestSchema, { name }), call),
  ],
  ['GetGates', 'get', (context, call) => getGates(context)(create(GetGatesRequestSchema, { name }), call)],
  [
    'SetParameters',
    'update',
    (context, call) => setParameters(context)(create(SetParametersRequestSchema, { name, changes }), call),
  ],
  [
    'a dry run of SetParameters',
    'update',
    (context, call) =>
      setParameters(context)(create(SetParametersRequestSchema, { name, changes, dryRun: true }), call),
  ],
  [
    'PreviewParameters',
    'update',
    (context, call) =>
      previewParameters(context)(create(PreviewParametersRequestSchema, { name, changes }), call),
  ],
  [
    'GetCommitChanges',
    'get',
    (context, call) => getCommitChanges(context)(create(GetCommitChangesRequestSchema, { name }), call),
  ],
  [
    'HydrateApplication',
    'sync',
    (context, call) =>
      changedApplicationRoutes(context).hydrateApplication(
        create(HydrateApplicationRequestSchema, { name }),
        call,
      ),
  ],
  [
    'UpdateApplication',
    'update',
    (context, call) =>
      changedApplicationRoutes(context).updateApplication(
        create(UpdateApplicationRequestSchema, { application: labelled, validate: true }),
        call,
      ),
  ],
  [
    'DeleteApplication',
    'delete',
    (context, call) =>
      changedApplicationRoutes(context).deleteApplication(
        create(DeleteApplicationRequestSchema, { name }),
        call,
      ),
  ],
]

for (const [rpc, action, invoke] of calls) {
  test(`${rpc} needs ${action}; without it is refused, and what may not be seen is not found`, async () => {
    await using fixture = await openWith(
      'p, outsider, applications, *, prod/*, allow',
      `p, blind, applications, ${action === 'get' ? 'update' : action}, dev/*, allow`,
      'p, viewer, applications, get, dev/web, allow',
      'p, doer, applications, get, dev/web, allow',
      `p, doer, applications, ${action}, dev/web, allow`,
    )
    const { context } = fixture
    const before = await context.store.get('Application', 'argocd', name)
    for (const user of ['outsider', 'blind', 'nobody']) {
      await assert.rejects(invoke(context, callBy(user)), {
        name: 'NotFoundError',
        message: 'applications.argoproj.io "web" not found',
      })
    }
    if (action !== 'get') {
      await assert.rejects(invoke(context, callBy('viewer')), {
        name: 'PermissionDeniedError',
        message: `permission denied: applications, ${action}, dev/web, sub: viewer`,
      })
    }
    assert.deepEqual(fixture.calls, [])
    assert.deepEqual(await context.store.get('Application', 'argocd', name), before)
    await invoke(context, callBy('doer'))
    assert.ok(rpc === 'DeleteApplication' || fixture.calls.length > 0)
  })
}

test('a list has what the caller may see, in every namespace and under every name that policies give it', async () => {
  await using fixture = await openWith(
    'p, ada, applications, get, dev/*, allow',
    'p, ada, applications, get, dev/secret, deny',
    'p, tenant, applications, get, prod/team-a/*, allow',
  )
  const { context } = fixture
  await context.store.create(application('dev', 'secret'))
  await context.store.create(application('prod', 'api'))
  const elsewhere = application('prod', 'job')
  await context.store.create({ ...elsewhere, metadata: { name: 'job', namespace: 'team-a' } })
  // Nobody could have stored this through the gateway; it is listed all the same.
  await context.store.create({
    ...application('dev', 'broken'),
    spec: { project: 'dev', source: 1, sources: 1, sourceHydrator: 1 },
  })
  const listed = async (call: HandlerContext, projects: string[] = []) => {
    const request = create(ListApplicationsRequestSchema, { projects })
    const { applications } = await listApplications(context)(request, call)
    return applications.map(({ metadata }) => (metadata as unknown as Resource['metadata']).name)
  }
  assert.deepEqual(await listed(callBy('ada')), ['broken', 'web'])
  assert.deepEqual(await listed(callBy('ada'), ['prod']), [])
  assert.deepEqual(await listed(callBy('tenant')), ['job'])
  assert.deepEqual(await listed(callBy('nobody')), [])
  assert.deepEqual(await listed(callContext()), ['api', 'broken', 'secret', 'web', 'job'])
})

test('an Application that moves out of sight while it is hydrated or deleted is left alone', async () => {
  await using fixture = await openWith('p, ada, applications, *, dev/*, allow')
  const { context } = fixture
  const { store } = context
  const get = store.get.bind(store)
  /** Moves the Application once it was read, as somebody else may at any moment. */
  const moveAfterRead = () => {
    let count = 0
    store.get = async (...key) => {
      const found = await get(...key)
      if (key[0] === 'Application' && found && ++count === 1) {
        await store.update({ ...found, spec: { ...found.spec, project: 'prod' } })
      }
      return found
    }
  }
  const notFound = { name: 'NotFoundError', message: 'applications.argoproj.io "web" not found' }
  moveAfterRead()
  const removal = create(DeleteApplicationRequestSchema, { name })
  await assert.rejects(changedApplicationRoutes(context).deleteApplication(removal, callBy('ada')), notFound)
  store.get = get
  const moved = await store.get('Application', 'argocd', name)
  assert.equal(moved?.spec?.['project'], 'prod')
  await store.update({ ...application('dev'), metadata: moved.metadata })
  moveAfterRead()
  const hydration = create(HydrateApplicationRequestSchema, { name })
  await assert.rejects(
    changedApplicationRoutes(context).hydrateApplication(hydration, callBy('ada')),
    notFound,
  )
  store.get = get
  const kept = await store.get('Application', 'argocd', name)
  assert.equal(kept?.metadata.annotations, undefined)
  assert.deepEqual(fixture.calls, [])
})
