import type { HandlerContext } from '@connectrpc/connect'
import type { CreateProjectRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { projectWarnings } from '@wadi/resources/project/project-warnings.ts'
import { toStruct } from '../applications/read-application.ts'
import { policyObjectOf } from '../authorization/policy-object.ts'
import { requireStoreRight } from '../authorization/store-right.ts'
import type { GatewayContext } from '../context.ts'
import { readUserProject } from '../projects/project-resource.ts'
import { writeProject } from '../projects/write-project.ts'

/** Stores a new project. */
export function createProject(context: GatewayContext) {
  return async ({ project, upsert }: CreateProjectRequest, call: HandlerContext) => {
    const wanted = readUserProject(project)
    const { resource, outcome } = await writeProject(context, wanted, {
      replace: upsert,
      permit: (stored) =>
        requireStoreRight(context, call, policyObjectOf(wanted), stored && policyObjectOf(stored), upsert),
    })
    return { project: toStruct(resource), outcome, warnings: projectWarnings(wanted) }
  }
}
