import { create, type JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ProjectService } from '@wadi/protocol/gen/argocd/project/project_pb.ts'
import { type AppProject, AppProjectSchema } from '@wadi/protocol/gen/argocd/v1alpha1/app_project_pb.ts'
import {
  CreateProjectRequestSchema,
  CreateProjectTokenRequestSchema,
  DeleteProjectRequestSchema,
  DeleteProjectTokenRequestSchema,
  GetProjectRequestSchema,
  ListProjectsRequestSchema,
  UpdateProjectRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { projectRoutes } from '../routes/projects.ts'
import { clustersOfProject } from './cluster-service.ts'
import { fromKubernetesJson, toKubernetesJson } from './kubernetes-json.ts'
import { newestVersion } from './list-version.ts'
import { repositoriesOfProject } from './repository-service.ts'
import { unsupported } from './unsupported.ts'
import { withWireRemainder } from './wire-remainder.ts'

/** Argo CD's ProjectService over the gateway's own. */
export function argocdProjects(context: GatewayContext): ServiceImpl<typeof ProjectService> {
  const own = projectRoutes(context)
  const read = async (name: string, call: HandlerContext): Promise<JsonObject> => {
    const { project } = await own.getProject(create(GetProjectRequestSchema, { name }), call)
    return project
  }
  return {
    async list(_query, call) {
      const { projects } = await own.listProjects(create(ListProjectsRequestSchema), call)
      const items = projects.map(onTheWire)
      return { metadata: { resourceVersion: newestVersion(items) }, items }
    },
    async get({ name }, call) {
      return onTheWire(await read(name, call))
    },
    async getDetailedProject({ name }, call) {
      const project = onTheWire(await read(name, call))
      const [repositories, clusters] = await Promise.all([
        repositoriesOfProject(context, call, name),
        clustersOfProject(context, call, name),
      ])
      return { project, repositories, clusters }
    },
    async getGlobalProjects({ name }, call) {
      await read(name, call)
      return {}
    },
    async create(request, call) {
      const wanted = create(CreateProjectRequestSchema, {
        project: asWritten(request.project),
        upsert: request.upsert,
      })
      const { project } = await own.createProject(wanted, call)
      return onTheWire(project)
    },
    async update(request, call) {
      const written = asWritten(request.project)
      const stored = await read(request.project?.metadata?.name ?? '', call)
      const project = { ...written, spec: specWithRemainder(written, stored) }
      const updated = await own.updateProject(create(UpdateProjectRequestSchema, { project }), call)
      return onTheWire(updated.project)
    },
    async delete({ name }, call) {
      await own.deleteProject(create(DeleteProjectRequestSchema, { name }), call)
      return {}
    },
    ...projectTokens(own),
    listEvents: unsupported('Wadi keeps no events of projects; its audit log records who changed what'),
    getSyncWindowsState: unsupported(
      'Wadi deploys nothing, so sync windows have no effect; `argocd proj windows list PROJECT` shows those that are written in the project',
    ),
    listLinks: unsupported('Wadi has no links of projects'),
  }
}

function projectTokens(
  own: ReturnType<typeof projectRoutes>,
): Pick<ServiceImpl<typeof ProjectService>, 'createToken' | 'deleteToken'> {
  return {
    async createToken({ project, role, expiresIn, id }, call) {
      const request = create(CreateProjectTokenRequestSchema, { project, role, expiresIn, id })
      const { token } = await own.createProjectToken(request, call)
      return { token }
    },
    async deleteToken({ project, role, iat, id }, call) {
      const request = create(DeleteProjectTokenRequestSchema, { project, role, id: id || String(iat) })
      await own.deleteProjectToken(request, call)
      return {}
    },
  }
}

function onTheWire(project: JsonObject): AppProject {
  return fromKubernetesJson(AppProjectSchema, project)
}

/** @throws InvalidInputError for a request without a project */
function asWritten(project: AppProject | undefined): JsonObject {
  if (project === undefined) throw new InvalidInputError('the request has no project')
  const { metadata, spec } = toKubernetesJson(AppProjectSchema, project)
  return { metadata: metadata ?? {}, spec: spec ?? {} }
}

function specWithRemainder(written: JsonObject, stored: JsonObject): JsonObject {
  const { spec = {} } = withWireRemainder(
    AppProjectSchema,
    { spec: written['spec'] ?? {} },
    { spec: stored['spec'] ?? {} },
  )
  return isJsonObject(spec) ? spec : {}
}
