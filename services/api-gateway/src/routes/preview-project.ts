import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import type { PreviewProjectRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import { type Cluster, readClusters } from '@wadi/resources/cluster-secret.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { type AppProject, parseAppProject } from '@wadi/resources/project/app-project.ts'
import { readProject, requireProjectPermits } from '@wadi/resources/project/project-permission.ts'
import { projectWarnings } from '@wadi/resources/project/project-warnings.ts'
import { readableApplication } from '../applications/application-view.ts'
import type { GatewayContext } from '../context.ts'
import { defaultProjectName, permittedProject, readUserProject } from '../projects/project-resource.ts'

/** Says whom a project would refuse that it permits now, before it is stored, and who belongs to it. */
export function previewProject(context: GatewayContext) {
  return async ({ project }: PreviewProjectRequest, call: HandlerContext) => {
    const { store, authorization } = context
    const wanted = readUserProject(project)
    const { name } = wanted.metadata
    const stored = await store.get('AppProject', controlPlaneNamespace, name)
    const isThere = stored !== undefined || name === defaultProjectName
    const mayCreate = !isThere && authorization.allows(call, 'projects', 'create', name)
    // To anybody else one that is missing looks as one that is hidden.
    if (!mayCreate) permittedProject(context, call, name, stored, 'get')
    const [before, after] = [isThere ? await readProject(store, name) : undefined, parseAppProject(wanted)]
    const clusters = await readClusters(store)
    const mayWrite = mayCreate || authorization.allows(call, 'projects', 'update', name)
    const mayGet = authorization.allowsEach(call, 'applications', 'get')
    const members = await membersOf(context, name)
    const [seen, hidden] = [
      members.filter((one) => mayGet(one.object)),
      members.filter((one) => !mayGet(one.object)),
    ]
    const refusals = (list: readonly Member[]) =>
      list.flatMap((member) => {
        const reason = member.application && refusal(after, member.application, clusters)
        if (member.application === undefined || reason === undefined) return []
        const isNew = before !== undefined && refusal(before, member.application, clusters) === undefined
        return [{ name: member.name, reason, isNew }]
      })
    return {
      applications: seen.map((member) => member.name),
      refused: refusals(seen),
      hidden: hidden.length,
      // Whoever only reads the project could try out the fields of Applications with it.
      hiddenRefused: mayWrite ? refusals(hidden).filter(({ isNew }) => isNew).length : 0,
      warnings: projectWarnings(wanted),
    }
  }
}

/** An Application that names a project. */
interface Member {
  /** Its name in policies, and the same without the project. */
  readonly object: string
  readonly name: string
  /** Undefined for one that cannot be read. */
  readonly application: Application | undefined
}

async function membersOf({ store }: Pick<GatewayContext, 'store'>, project: string): Promise<Member[]> {
  const { items } = await store.list('Application')
  const prefix = `${project}/`
  return items
    .map((item) => ({ object: applicationObject(item), item }))
    .filter(({ object }) => object.startsWith(prefix))
    .map(({ object, item }) => ({
      object,
      name: object.slice(prefix.length),
      application: readableApplication(item),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Returns the reason for which a project does not permit an Application; undefined if it does. */
function refusal(
  project: AppProject,
  application: Application,
  clusters: readonly Cluster[],
): string | undefined {
  try {
    requireProjectPermits(project, application, clusters)
    return undefined
  } catch (error) {
    if (error instanceof PermissionDeniedError || error instanceof InvalidInputError) return error.message
    throw error
  }
}
