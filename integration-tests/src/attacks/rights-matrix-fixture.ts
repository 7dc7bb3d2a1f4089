import type { JsonObject } from '@bufbuild/protobuf'
import type { GatewayClient } from '../gateway-fixture.ts'

/** The projects of the matrix, which the fixture of users has. */
export const projects = ['web', 'api'] as const

type Project = (typeof projects)[number]

/** The policy: what each role may do, with which resource, in which projects. Nobody may do anything else. */
const table: readonly (readonly [
  role: string,
  resource: string,
  action: string,
  projects: readonly Project[],
])[] = [
  ['viewer', 'applications', 'get', ['web']],
  ['viewer', 'clusters', 'get', ['api']],
  ['viewer', 'repositories', 'get', ['web']],
  ['creator', 'applications', 'get', ['web', 'api']],
  ['creator', 'applications', 'create', ['web']],
  ['creator', 'clusters', 'create', ['web']],
  ['creator', 'repositories', 'create', ['api']],
  ['editor', 'applications', 'get', ['api']],
  ['editor', 'applications', 'update', ['api']],
  ['hydrator', 'applications', 'get', ['web']],
  ['hydrator', 'applications', 'sync', ['web', 'api']],
  ['deleter', 'applications', 'get', ['web', 'api']],
  ['deleter', 'applications', 'delete', ['web']],
  ['deleter', 'clusters', 'get', ['web', 'api']],
  ['deleter', 'clusters', 'delete', ['api']],
  ['deleter', 'repositories', 'get', ['api']],
  ['deleter', 'repositories', 'delete', ['web', 'api']],
]

/** The roles of the table and one that it does not name. */
export const roles: readonly string[] = [...new Set(table.map(([role]) => role)), 'outsider']

/** One thing that a user may want to do in a project. */
interface Verb {
  name: string
  resource: string
  action: string
  call: (user: GatewayClient, project: Project) => Promise<unknown>
  /** Puts back what an allowed call changed. */
  undo?: (admin: GatewayClient, project: Project) => Promise<unknown>
}

/** Everything that is tried, through the gateway's own services and through those of Argo CD. */
export const verbs: readonly Verb[] = [
  verb('applications', 'get', ({ applications }, project) =>
    applications.getApplication({ name: stored(project) }),
  ),
  verb('applications', 'get', ({ argocdApplications }, project) =>
    argocdApplications.get({ name: stored(project) }),
  ),
  verb(
    'applications',
    'create',
    ({ applications }, project) =>
      applications.createApplication({ application: application(project, 'new') }),
    ({ applications }, project) => applications.deleteApplication({ name: `${project}-new` }),
  ),
  verb(
    'applications',
    'create',
    ({ argocdApplications }, project) =>
      argocdApplications.create({ application: typed(project, 'new'), validate: false }),
    ({ applications }, project) => applications.deleteApplication({ name: `${project}-new` }),
  ),
  verb('applications', 'update', ({ applications }, project) =>
    applications.updateApplication({ application: application(project, 'stored') }),
  ),
  verb('applications', 'update', ({ argocdApplications }, project) =>
    argocdApplications.updateSpec({
      name: stored(project),
      spec: typed(project, 'stored').spec,
      validate: false,
    }),
  ),
  verb('applications', 'update', ({ applications }, project) =>
    applications.labelApplication({ name: stored(project), labels: { tier: 'web' } }),
  ),
  verb('applications', 'update', ({ applications }, project) =>
    applications.moveApplication({ name: stored(project), syncBranch: 'environments/moved' }),
  ),
  verb('applications', 'sync', ({ applications }, project) =>
    applications.hydrateApplication({ name: stored(project) }),
  ),
  verb('applications', 'sync', ({ argocdApplications }, project) =>
    argocdApplications.get({ name: stored(project), refresh: 'normal' }),
  ),
  verb(
    'applications',
    'delete',
    ({ applications }, project) => applications.deleteApplication({ name: stored(project) }),
    storeApplication,
  ),
  verb(
    'applications',
    'delete',
    ({ argocdApplications }, project) => argocdApplications.delete({ name: stored(project) }),
    storeApplication,
  ),
  verb('clusters', 'get', ({ clusters }, project) =>
    clusters.getCluster({ cluster: server(project, 'stored') }),
  ),
  verb(
    'clusters',
    'create',
    ({ clusters }, project) => clusters.createCluster({ cluster: cluster(project, 'new') }),
    ({ clusters }, project) => clusters.deleteCluster({ cluster: server(project, 'new') }),
  ),
  verb(
    'clusters',
    'delete',
    ({ clusters }, project) => clusters.deleteCluster({ cluster: server(project, 'stored') }),
    storeCluster,
  ),
  verb('repositories', 'get', async ({ repositories }, project) => {
    const { repositories: listed } = await repositories.listRepositories({})
    // A list leaves out what is hidden instead of failing.
    if (!listed.some((one) => one.repoUrl === url(project, 'stored')))
      await repositories.deleteRepository(hidden)
  }),
  verb(
    'repositories',
    'create',
    ({ repositories }, project) => repositories.createRepository(repository(project, 'new')),
    ({ repositories }, project) => repositories.deleteRepository({ repoUrl: url(project, 'new'), project }),
  ),
  verb(
    'repositories',
    'delete',
    ({ repositories }, project) =>
      repositories.deleteRepository({ repoUrl: url(project, 'stored'), project }),
    storeRepository,
  ),
]

/** Every role, project and verb. */
export function cells(): { role: string; project: Project; verb: Verb }[] {
  return roles.flatMap((role) =>
    projects.flatMap((project) => verbs.map((one) => ({ role, project, verb: one }))),
  )
}

/** Returns true if the table lets a role do something in a project; what may not be seen cannot be touched either. */
export function isAllowed(role: string, project: Project, { resource, action }: Verb): boolean {
  const has = (wanted: string) =>
    table.some(
      ([of, on, may, where]) => of === role && on === resource && may === wanted && where.includes(project),
    )
  return has(action) && (action === 'create' || has('get'))
}

/** The table as lines of Argo CD's policy. */
export function policyLines(): string[] {
  return table.flatMap(([role, resource, action, where]) =>
    where.map((project) => `p, ${role}, ${resource}, ${action}, ${project}/*, allow`),
  )
}

/** Stores an Application, a cluster and a repository of a project. */
export async function storeObjects(admin: GatewayClient, project: Project): Promise<void> {
  await storeApplication(admin, project)
  await storeCluster(admin, project)
  await storeRepository(admin, project)
}

function verb(resource: string, action: string, call: Verb['call'], undo?: Verb['undo']): Verb {
  return { name: `${action} ${resource}`, resource, action, call, ...(undo && { undo }) }
}

/** A repository that nobody stored, so that asking for it is refused. */
const hidden = { repoUrl: 'http://127.0.0.1:1/hidden.git' }

const stored = (project: Project) => `${project}-stored`
const server = (project: Project, name: string) => `https://${project}-${name}.example.com`
const url = (project: Project, name: string) => `http://127.0.0.1:1/${project}-${name}.git`
const cluster = (project: Project, name: string) => ({
  name: `${project}-${name}`,
  server: server(project, name),
  project,
})
const repository = (project: Project, name: string) => ({
  repoUrl: url(project, name),
  project,
  skipValidation: true,
})

/** An Application whose repository nobody serves. */
function typed(project: Project, name: string) {
  return {
    metadata: { name: `${project}-${name}` },
    spec: {
      project,
      destination: { server: 'https://kubernetes.default.svc', namespace: project },
      sourceHydrator: {
        drySource: { repoURL: 'http://127.0.0.1:1/dry.git', targetRevision: 'main', path: name },
        syncSource: { targetBranch: `environments/${project}`, path: name },
      },
    },
  }
}

function application(project: Project, name: string): JsonObject {
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...typed(project, name) }
}

function storeApplication({ applications }: GatewayClient, project: Project): Promise<unknown> {
  return applications.createApplication({ application: application(project, 'stored') })
}

function storeCluster({ clusters }: GatewayClient, project: Project): Promise<unknown> {
  return clusters.createCluster({ cluster: cluster(project, 'stored') })
}

function storeRepository({ repositories }: GatewayClient, project: Project): Promise<unknown> {
  return repositories.createRepository(repository(project, 'stored'))
}
