import type { HandlerContext } from '@connectrpc/connect'
import type { UpdateProjectRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { projectWarnings } from '@wadi/resources/project/project-warnings.ts'
import { toStruct } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'
import { permittedProject, readUserProject } from '../projects/project-resource.ts'
import { writeProject } from '../projects/write-project.ts'

/** Replaces a project; `default` may be written so before anybody has stored it. */
export function updateProject(context: GatewayContext) {
  return async ({ project }: UpdateProjectRequest, call: HandlerContext) => {
    const wanted = readUserProject(project)
    const { resource } = await writeProject(context, wanted, {
      replace: true,
      permit: (stored) => {
        permittedProject(context, call, wanted.metadata.name, stored, 'update')
      },
    })
    return { project: toStruct(resource), warnings: projectWarnings(wanted) }
  }
}
