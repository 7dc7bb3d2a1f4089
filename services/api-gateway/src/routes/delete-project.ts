import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { DeleteProjectRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { GatewayContext } from '../context.ts'
import { defaultProjectName, getProjectResource } from '../projects/project-resource.ts'

/** Removes a project that no Application belongs to; `default` stays. */
export function deleteProject(context: GatewayContext) {
  return async ({ name, resourceVersion: shown }: DeleteProjectRequest, call: HandlerContext) => {
    const { metadata } = await getProjectResource(context, call, name, 'delete')
    if (name === defaultProjectName) {
      throw new FailedPreconditionError(`project ${defaultProjectName} is always there and cannot be deleted`)
    }
    const members = await countApplications(context, name)
    if (members > 0) {
      throw new FailedPreconditionError(
        `${members} ${members === 1 ? 'application belongs' : 'applications belong'} to project ${name}; ` +
          'move or delete them first',
      )
    }
    const resourceVersion = shown || metadata.resourceVersion
    await context.store.delete('AppProject', controlPlaneNamespace, name, {
      ...(resourceVersion !== undefined && { resourceVersion }),
    })
    return {}
  }
}

async function countApplications({ store }: Pick<GatewayContext, 'store'>, project: string): Promise<number> {
  const { items } = await store.list('Application')
  return items.filter((item) => applicationObject(item).startsWith(`${project}/`)).length
}
