import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type DescMessage, fromBinary, type JsonObject, toBinary } from '@bufbuild/protobuf'
import type { MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import {
  ApplicationSetCreateRequestSchema,
  ApplicationSetDeleteRequestSchema,
  ApplicationSetGenerateRequestSchema,
  ApplicationSetGenerateResponseSchema,
  ApplicationSetGetQuerySchema,
  ApplicationSetListQuerySchema,
  ApplicationSetResponseSchema,
  type ApplicationSetService,
  ApplicationSetWatchQuerySchema,
} from '@wadi/protocol/gen/argocd/applicationset/applicationset_pb.ts'
import { ApplicationSchema } from '@wadi/protocol/gen/argocd/v1alpha1/application_pb.ts'
import {
  ApplicationSetListSchema,
  ApplicationSetSchema,
} from '@wadi/protocol/gen/argocd/v1alpha1/application_set_pb.ts'
import type { ApplicationSetService as OwnApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { argocdApplicationSets } from './application-set-service.ts'
import { fromKubernetesJson, toKubernetesJson } from './kubernetes-json.ts'

const typeMeta = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' }

function setNamed(name: string, project = 'dev', labels: JsonObject = { team: 'shop' }): JsonObject {
  return {
    metadata: { name, namespace: 'argocd', resourceVersion: name === 'web' ? '9' : '10', labels },
    spec: {
      generators: [{ list: { elements: [{ name: 'x' }] } }],
      template: { metadata: { name: '{{name}}' }, spec: { project } },
    },
  }
}

async function withService(
  applicationSets: Partial<ServiceImpl<typeof OwnApplicationSetService>>,
  work: (
    service: ServiceImpl<typeof ApplicationSetService>,
    requests: Record<string, unknown>[],
  ) => Promise<void>,
): Promise<void> {
  await using fixture = await openGatewayFixture({ applicationSets })
  await work(argocdApplicationSets(fixture.context, new AbortController().signal), fixture.requests)
}

/** Returns an answer as a client reads it. */
function received<Desc extends DescMessage>(
  schema: Desc,
  answer: MessageInitShape<Desc>,
): MessageShape<Desc> {
  return fromBinary(schema, toBinary(schema, create(schema, answer)))
}

function receivedSet(answer: MessageInitShape<typeof ApplicationSetSchema>): JsonObject {
  return toKubernetesJson(ApplicationSetSchema, received(ApplicationSetSchema, answer))
}

const wire = (object: JsonObject) => fromKubernetesJson(ApplicationSetSchema, object)
const notFound = () => {
  throw new NotFoundError('ApplicationSet argocd/nope does not exist')
}

test('a set is read by name and namespace and comes without its type', async () => {
  const stored = { ...typeMeta, ...setNamed('web') }
  await withService({ getApplicationSet: () => ({ applicationSet: stored }) }, async (service, requests) => {
    const query = create(ApplicationSetGetQuerySchema, { name: 'web', appsetNamespace: 'argocd' })
    assert.deepEqual(receivedSet(await service.get(query, callContext())), setNamed('web'))
    assert.deepEqual(requests, [{ name: 'web', namespace: 'argocd' }])
  })
})

test('a set that does not exist is not found with the message of Argo CD, to read and to delete it', async () => {
  await withService({ getApplicationSet: notFound }, async (service) => {
    const expected = { name: 'NotFoundError', message: 'applicationset.argoproj.io "nope" not found' }
    const query = create(ApplicationSetGetQuerySchema, { name: 'nope' })
    await assert.rejects(async () => service.get(query, callContext()), expected)
    const deletion = create(ApplicationSetDeleteRequestSchema, { name: 'nope' })
    await assert.rejects(async () => service.delete(deletion, callContext()), expected)
  })
})

test('a set is created as it was written, with its type', async () => {
  const applyApplicationSet = () => ({
    applicationSet: { ...typeMeta, ...setNamed('web') },
    outcome: 'created',
  })
  await withService({ applyApplicationSet }, async (service, requests) => {
    const request = create(ApplicationSetCreateRequestSchema, { applicationset: wire(setNamed('web')) })
    assert.deepEqual(receivedSet(await service.create(request, callContext())), setNamed('web'))
    const flags = { upsert: false, dryRun: false, confirmDeletions: false, reviewedPlan: '', version: '' }
    assert.deepEqual(requests, [{ applicationSet: { ...typeMeta, ...setNamed('web') }, ...flags }])
  })
})

test('a dry run names the Applications that there would be, whether or not the set is there', async () => {
  const change = (name: string) => ({ name, after: { metadata: { name, namespace: 'argocd' } } })
  const applyApplicationSet = () => ({
    applicationSet: { ...setNamed('web'), status: { health: { status: 'Healthy' } } },
    changes: [
      { action: 'create', ...change('b') },
      { action: 'delete', name: 'c', before: {} },
      { action: 'unchanged', ...change('a') },
    ],
  })
  await withService({ applyApplicationSet }, async (service, requests) => {
    const applicationset = wire(setNamed('web'))
    const request = create(ApplicationSetCreateRequestSchema, { applicationset, dryRun: true })
    const { status } = receivedSet(await service.create(request, callContext()))
    const application = {
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      namespace: 'argocd',
    }
    assert.deepEqual(status, {
      resources: ['a', 'b'].map((name) => ({ ...application, name })),
      resourcesCount: 2,
      health: { status: 'Healthy' },
    })
    assert.deepEqual([requests[0]?.['dryRun'], requests[0]?.['upsert']], [true, true])
  })
})

test('what appset-service refuses is refused with its message', async () => {
  const thrown = new PermissionDeniedError('permission denied: applications, create, dev/x, sub: ci')
  const applyApplicationSet = () => {
    throw thrown
  }
  await withService({ applyApplicationSet }, async (service) => {
    const request = create(ApplicationSetCreateRequestSchema, { applicationset: wire(setNamed('web')) })
    const { name, message } = thrown
    await assert.rejects(async () => service.create(request, callContext()), { name, message })
  })
})

test('a request without a set is an error', async () => {
  await withService({}, async (service) => {
    const request = create(ApplicationSetGenerateRequestSchema)
    await assert.rejects(async () => service.generate(request, callContext()), {
      name: 'InvalidInputError',
      message: 'the request has no ApplicationSet',
    })
  })
})

test('what a set generates comes as Applications, in order', async () => {
  const application = (name: string) => ({
    metadata: { name },
    spec: { project: 'dev', source: { path: name } },
  })
  const applications = [application('b'), application('a')]
  await withService({ generateApplications: () => ({ applications }) }, async (service, requests) => {
    const applicationSet = wire(setNamed('web'))
    const request = create(ApplicationSetGenerateRequestSchema, { applicationSet })
    const answer = received(
      ApplicationSetGenerateResponseSchema,
      await service.generate(request, callContext()),
    )
    const objects = answer.applications.map((item) => toKubernetesJson(ApplicationSchema, item))
    assert.deepEqual(objects, applications)
    assert.deepEqual(requests, [{ applicationSet: { ...typeMeta, ...setNamed('web') } }])
  })
})

test('a list has the version of its newest set', async () => {
  const applicationSets = [setNamed('api'), setNamed('web')]
  await withService({ listApplicationSets: () => ({ applicationSets }) }, async (service, requests) => {
    const selection = { projects: ['dev'], selector: 'team=shop' }
    const query = create(ApplicationSetListQuerySchema, { ...selection, appsetNamespace: 'argocd' })
    const list = received(ApplicationSetListSchema, await service.list(query, callContext()))
    assert.equal(list.metadata?.resourceVersion, '10')
    assert.deepEqual(
      list.items.map((item) => toKubernetesJson(ApplicationSetSchema, item)),
      applicationSets,
    )
    assert.deepEqual(requests, [{ ...selection, namespace: 'argocd' }])
  })
})

test('a set is deleted and comes back with its project', async () => {
  const getApplicationSet = () => ({ applicationSet: setNamed('web') })
  const deleteApplicationSet = () => ({ applications: ['x'] })
  await withService({ getApplicationSet, deleteApplicationSet }, async (service, requests) => {
    const request = create(ApplicationSetDeleteRequestSchema, { name: 'web' })
    const answer = received(ApplicationSetResponseSchema, await service.delete(request, callContext()))
    assert.equal(answer.project, 'dev')
    assert.deepEqual(receivedSet(answer.applicationset ?? {}), setNamed('web'))
    const unseen = { dryRun: false, isReviewed: false, reviewedApplications: [], version: '' }
    assert.deepEqual(requests[1], { namespace: '', name: 'web', orphan: false, ...unseen })
  })
})

test('a watch delivers only the sets of the wanted projects and labels', async () => {
  const sets = [setNamed('web'), setNamed('api', 'prod'), setNamed('other', 'dev', {}), setNamed('last')]
  async function* watchApplicationSets() {
    for (const applicationSet of sets) yield { type: 'ADDED', applicationSet }
  }
  await withService({ watchApplicationSets }, async (service) => {
    const query = create(ApplicationSetWatchQuerySchema, { projects: ['dev'], selector: 'team' })
    const names = []
    for await (const { type, applicationSet } of service.watch(query, callContext())) {
      names.push([type, applicationSet?.metadata?.name])
    }
    assert.deepEqual(names, [
      ['ADDED', 'web'],
      ['ADDED', 'last'],
    ])
  })
})
