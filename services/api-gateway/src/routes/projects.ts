import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { CanIRequestSchema } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import type { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { projectWarnings } from '@wadi/resources/project/project-warnings.ts'
import { toStruct } from '../applications/read-application.ts'
import { canI } from '../argocd/account-can-i.ts'
import { policyObjectOf } from '../authorization/policy-object.ts'
import { requireStoreRight } from '../authorization/store-right.ts'
import type { GatewayContext } from '../context.ts'
import {
  defaultProjectName,
  getProjectResource,
  listProjectResources,
  permittedProject,
  readUserProject,
} from '../projects/project-resource.ts'
import { writeProject } from '../projects/write-project.ts'
import { previewProject } from './preview-project.ts'
import { projectTokenRoutes } from './project-tokens.ts'

/** The RPCs of ProjectService. */
export function projectRoutes(context: GatewayContext) {
  return {
    ...readingRoutes(context),
    /** Stores a new project. */
    async createProject({ project, upsert }, call) {
      const wanted = readUserProject(project)
      const { resource, outcome } = await writeProject(context, wanted, {
        replace: upsert,
        permit: (stored) =>
          requireStoreRight(context, call, policyObjectOf(wanted), stored && policyObjectOf(stored), upsert),
      })
      return { project: toStruct(resource), outcome, warnings: projectWarnings(wanted) }
    },
    /** Replaces a project; `default` may be written so before anybody has stored it. */
    async updateProject({ project }, call) {
      const wanted = readUserProject(project)
      const { resource } = await writeProject(context, wanted, {
        replace: true,
        permit: (stored) => {
          permittedProject(context, call, wanted.metadata.name, stored, 'update')
        },
      })
      return { project: toStruct(resource), warnings: projectWarnings(wanted) }
    },
    previewProject: previewProject(context),
    /** Removes a project that no Application belongs to; `default` stays. */
    async deleteProject({ name, resourceVersion: shown }, call) {
      const { metadata } = await getProjectResource(context, call, name, 'delete')
      if (name === defaultProjectName) {
        throw new FailedPreconditionError(
          `project ${defaultProjectName} is always there and cannot be deleted`,
        )
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
    },
    ...projectTokenRoutes(context),
  } satisfies ServiceImpl<typeof ProjectService>
}

function readingRoutes(context: GatewayContext) {
  const ask = canI(context)
  return {
    async listProjects(_request, call) {
      const all = await listProjectResources(context)
      const visible = all.filter(({ metadata }) =>
        context.authorization.allows(call, 'projects', 'get', metadata.name),
      )
      return { projects: visible.map(toStruct) }
    },
    /** Lists the projects in which the caller may do something to every object of a resource, as CanI would say of each. */
    async listPermittedProjects({ resource, action }, call) {
      const projects = await listProjectResources(context)
      const names = projects.map(({ metadata }) => metadata.name)
      const mayIn = (name: string) => {
        const request = create(CanIRequestSchema, { resource, action, subresource: `${name}/*` })
        return ask(request, call).value === 'yes'
      }
      return { names: names.filter(mayIn) }
    },
    getProject: async ({ name }, call) => ({
      project: toStruct(await getProjectResource(context, call, name, 'get')),
    }),
  } satisfies Partial<ServiceImpl<typeof ProjectService>>
}

async function countApplications({ store }: Pick<GatewayContext, 'store'>, project: string): Promise<number> {
  const { items } = await store.list('Application')
  return items.filter((item) => applicationObject(item).startsWith(`${project}/`)).length
}
