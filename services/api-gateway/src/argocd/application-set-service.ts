import { byName } from '@wadi/order/by-name.ts'
import { create, type JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { type ApplicationSetService } from '@wadi/protocol/gen/argocd/applicationset/applicationset_pb.ts'
import { ApplicationSchema } from '@wadi/protocol/gen/argocd/v1alpha1/application_pb.ts'
import {
  type ApplicationSet,
  ApplicationSetSchema,
  type ApplicationSetStatus,
  ApplicationSetStatusSchema,
} from '@wadi/protocol/gen/argocd/v1alpha1/application_set_pb.ts'
import { ResourceStatusSchema } from '@wadi/protocol/gen/argocd/v1alpha1/resource_status_pb.ts'
import {
  ApplyApplicationSetRequestSchema,
  DeleteApplicationSetRequestSchema,
  GenerateApplicationsRequestSchema,
  GetApplicationSetRequestSchema,
  ListApplicationSetsRequestSchema,
  WatchApplicationSetsRequestSchema,
} from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import type { GatewayContext } from '../context.ts'
import { applicationSetRoutes } from '../routes/application-sets.ts'
import { fromKubernetesJson, toKubernetesJson } from './kubernetes-json.ts'
import { newestVersion } from './list-version.ts'

type Sets = ReturnType<typeof applicationSetRoutes>
type Service = ServiceImpl<typeof ApplicationSetService>

/** Argo CD's ApplicationSetService over the gateway's own: the same rules decide, in the same service. */
export function argocdApplicationSets(
  gateway: Pick<GatewayContext, 'applicationSets'>,
  draining: AbortSignal,
): Service {
  const sets = applicationSetRoutes(gateway, draining)
  return {
    get: ({ name, appsetNamespace }, context) => getSet(sets, name, appsetNamespace, context),
    async generate(request, context) {
      const applicationSet = asWritten(request.applicationSet)
      const { applications } = await sets.generateApplications(
        create(GenerateApplicationsRequestSchema, { applicationSet }),
        context,
      )
      return { applications: applications.map((object) => fromKubernetesJson(ApplicationSchema, object)) }
    },
    async list(request, context) {
      const { projects, selector, appsetNamespace: namespace } = request
      const { applicationSets } = await sets.listApplicationSets(
        create(ListApplicationSetsRequestSchema, { projects, selector, namespace }),
        context,
      )
      const items = applicationSets.map(onTheWire)
      return { metadata: { resourceVersion: newestVersion(items) }, items }
    },
    create: createSet(sets),
    async delete(request, context) {
      const { name, appsetNamespace: namespace } = request
      const applicationset = await getSet(sets, name, namespace, context)
      const deletion = create(DeleteApplicationSetRequestSchema, { name, namespace })
      await named(name, () => sets.deleteApplicationSet(deletion, context))
      return { project: applicationset.spec?.template?.spec?.project ?? '', applicationset }
    },
    watch: watchSets(sets),
  }
}

async function getSet(
  sets: Sets,
  name: string,
  namespace: string,
  context: HandlerContext,
): Promise<ApplicationSet> {
  const request = create(GetApplicationSetRequestSchema, { name, namespace })
  const { applicationSet } = await named(name, () => sets.getApplicationSet(request, context))
  return onTheWire(applicationSet)
}

/** A dry run answers with the set that would be stored and, in its status, the Applications that it would have. */
function createSet(sets: Sets): Service['create'] {
  return async (request, context) => {
    const { upsert, dryRun } = request
    const applicationSet = asWritten(request.applicationset)
    const apply = create(ApplyApplicationSetRequestSchema, {
      applicationSet,
      // A dry run returns what would be, whether or not it differs from what is.
      upsert: upsert || dryRun,
      dryRun,
    })
    const answer = await sets.applyApplicationSet(apply, context)
    const stored = onTheWire(answer.applicationSet)
    if (!dryRun) return stored
    const objects = answer.changes.map(({ after }) => after).filter((after) => after !== undefined)
    return { ...stored, status: statusWith(objects, stored.status) }
  }
}

function watchSets(sets: Sets): Service['watch'] {
  return async function* (request, context) {
    const { name, appSetNamespace: namespace, projects, selector } = request
    const isSelected = parseLabelSelector(selector)
    const watch = create(WatchApplicationSetsRequestSchema, { name, namespace })
    for await (const { type, applicationSet } of sets.watchApplicationSets(watch, context)) {
      const set = onTheWire(applicationSet)
      const project = set.spec?.template?.spec?.project || 'default'
      if (!isSelected(set.metadata?.labels)) continue
      if (projects.length > 0 && !projects.includes(project)) continue
      yield { type, applicationSet: set }
    }
  }
}

/** @throws InvalidInputError for a request without an ApplicationSet */
function asWritten(set: ApplicationSet | undefined): JsonObject {
  if (set === undefined) throw new InvalidInputError('the request has no ApplicationSet')
  const object = toKubernetesJson(ApplicationSetSchema, set)
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', ...object }
}

function onTheWire(object: JsonObject | undefined): ApplicationSet {
  return fromKubernetesJson(ApplicationSetSchema, object ?? {})
}

/** Argo CD's words for a set that does not exist, or that the caller may not know of. */
async function named<Answer>(name: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (cause) {
    if (!(cause instanceof NotFoundError)) throw cause
    throw new NotFoundError(`applicationset.argoproj.io ${JSON.stringify(name)} not found`, { cause })
  }
}

/** The status that lists the Applications there would be, sorted by name. */
function statusWith(
  applications: readonly JsonObject[],
  status: ApplicationSetStatus | undefined,
): ApplicationSetStatus {
  const resources = applications.map((application) => {
    const { name = '', namespace = '' } = fromKubernetesJson(ApplicationSchema, application).metadata ?? {}
    return { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace, name }
  })
  return {
    ...(status ?? create(ApplicationSetStatusSchema)),
    resources: resources.toSorted(byName).map((resource) => create(ResourceStatusSchema, resource)),
    resourcesCount: BigInt(resources.length),
  }
}
