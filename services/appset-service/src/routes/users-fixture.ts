import assert from 'node:assert/strict'
import { create, type JsonObject, type MessageInitShape } from '@bufbuild/protobuf'
import { createContextValues, type HandlerContext } from '@connectrpc/connect'
import { handlerContext } from '@wadi/testing/handler-context.ts'
import {
  ApplicationSetService,
  ApplyApplicationSetRequestSchema,
  DeleteApplicationSetRequestSchema,
  GenerateApplicationsRequestSchema,
  GetApplicationSetRequestSchema,
  ListApplicationSetsRequestSchema,
  RefreshApplicationSetRequestSchema,
  WatchApplicationSetsRequestSchema,
} from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { followPolicy } from '@wadi/rbac/decide/live-policy.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { endUserKey } from '@wadi/rpc/service-identity.ts'
import type { AppsetServiceContext } from '../context.ts'
import type { PeerRepository } from '@wadi/application-sets/generator-fixture.ts'
import { type GenerationFixture, startGenerationFixture } from '../generation-fixture.ts'
import { applicationSetRoutes } from './application-set-routes.ts'

/** The calls of one user. */
type UserCalls = ReturnType<typeof callsOf>

/** An appset-service with a policy, three AppProjects and users. */
export interface UsersFixture extends AsyncDisposable {
  generation: GenerationFixture
  context: AppsetServiceContext
  /** `undefined` is a service that calls for itself. */
  as(user: string | undefined, groups?: readonly string[], context?: AppsetServiceContext): UserCalls
  /** The names of all Applications. */
  names(): Promise<string[]>
}

/** Users of whom each test needs some; `anna` has the project dev, `paul` prod and `olga` everything. */
export const policy = `
p, role:dev, applications, *, dev/*, allow
p, role:prod, applications, *, prod/*, allow
g, anna, role:dev
g, paul, role:prod
g, olga, role:admin
p, anna, repositories, get, https://git.example.com/team/*, allow
p, anna, clusters, get, https://dev, allow
`

/** Starts the parts that answer users. */
export async function startUsersFixture(
  csv = policy,
  repository: Partial<PeerRepository> = {},
): Promise<UsersFixture> {
  await using stack = new AsyncDisposableStack()
  const generation = stack.use(await startGenerationFixture(repository))
  const { store } = generation
  const metadata = { namespace: 'argocd' }
  await store.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, name: 'argocd-rbac-cm' },
    data: { 'policy.csv': csv },
  })
  for (const name of ['dev', 'prod', 'bound']) {
    const namespace = name === 'bound' ? 'only-here' : '*'
    await store.create({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { ...metadata, name },
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace }] },
    })
  }
  const live = stack.use(await followPolicy(store, (error) => assert.fail(error)))
  const context = { ...generation.context, policy: live }
  const owned = stack.move()
  return {
    generation,
    context,
    as: (user, groups = [], other = context) => callsOf(other, callOf(user, groups)),
    names: async () => (await store.list('Application')).items.map((item) => item.metadata.name),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function callOf(user: string | undefined, groups: readonly string[]): HandlerContext {
  const contextValues = createContextValues()
  if (user !== undefined) contextValues.set(endUserKey, { subject: user, groups })
  return handlerContext(ApplicationSetService.method.getApplicationSet, { contextValues })
}

/** A set of Applications `<prefix><name>` in the project, from a list. */
export function listSet(
  names: readonly string[],
  {
    project = 'dev',
    spec = {},
    ...metadata
  }: { project?: string; spec?: JsonObject; name?: string } & {
    [field: string]: unknown
  } = {},
): JsonObject {
  return setOf(
    {
      generators: [{ list: { elements: names.map((name) => ({ name })) } }],
      template: templateOf('{{name}}', project),
      ...spec,
    },
    metadata,
  )
}

/** A set as users write it. */
export function setOf(spec: JsonObject, metadata: Record<string, unknown> = {}): JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', ...(metadata as JsonObject) },
    spec,
  }
}

/** The template of an Application that is not hydrated. */
export function templateOf(name: string, project: string): JsonObject {
  return {
    metadata: { name },
    spec: {
      project,
      source: { repoURL: 'https://git.example.com/team/apps.git', path: 'a' },
      destination: { server: 'https://dev', namespace: 'apps' },
    },
  }
}

/** An Application that no set made. */
export function applicationOf(name: string, project: string): Resource {
  const { spec } = templateOf(name, project)
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: spec as JsonObject,
  }
}

function callsOf(context: AppsetServiceContext, call: HandlerContext) {
  const place = { name: 'set' }
  const routes = applicationSetRoutes(context, new AbortController().signal)
  return {
    apply: (
      applicationSet: JsonObject,
      options: Omit<
        MessageInitShape<typeof ApplyApplicationSetRequestSchema>,
        'applicationSet' | '$typeName'
      > = {},
    ) =>
      routes.applyApplicationSet(
        create(ApplyApplicationSetRequestSchema, { applicationSet, upsert: true, ...options }),
        call,
      ),
    generate: (applicationSet: JsonObject) =>
      routes.generateApplications(create(GenerateApplicationsRequestSchema, { applicationSet }), call),
    delete: (options: MessageInitShape<typeof DeleteApplicationSetRequestSchema> = {}) =>
      routes.deleteApplicationSet(create(DeleteApplicationSetRequestSchema, { ...place, ...options }), call),
    get: (options: { name?: string; namespace?: string } = {}) =>
      routes.getApplicationSet(create(GetApplicationSetRequestSchema, { ...place, ...options }), call),
    refresh: (options: MessageInitShape<typeof RefreshApplicationSetRequestSchema> = {}) =>
      routes.refreshApplicationSet(
        create(RefreshApplicationSetRequestSchema, { ...place, ...options }),
        call,
      ),
    list: async (options: { selector?: string; namespace?: string; projects?: string[] } = {}) => {
      const request = create(ListApplicationSetsRequestSchema, options)
      const { applicationSets } = await routes.listApplicationSets(request, call)
      return applicationSets.map(({ metadata }) => (metadata as { name: string }).name)
    },
    watch: (signal: AbortSignal, options: { name?: string; namespace?: string } = {}) =>
      applicationSetRoutes(context, signal).watchApplicationSets(
        create(WatchApplicationSetsRequestSchema, options),
        call,
      ),
  }
}
