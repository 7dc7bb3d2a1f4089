import { gitUser } from '../mesh-fixture.ts'

/** An Application in the typed messages of Argo CD's own API. */
const typedApplication = (repoURL: string) => ({
  metadata: { name: 'typed' },
  spec: {
    destination: { server: 'https://kubernetes.default.svc', namespace: 'typed' },
    sourceHydrator: {
      drySource: { repoURL, targetRevision: 'main', path: 'web' },
      syncSource: { targetBranch: 'environments/test', path: 'typed' },
    },
  },
})
/** An AppProject in the typed messages of Argo CD's own API. */
const typedProject = { metadata: { name: 'typed' }, spec: { sourceRepos: ['*'], roles: [{ name: 'ci' }] } }

async function* noMessages(): AsyncIterable<object> {}

/** Requests to the services of Argo CD that stand over the gateway's own, in the order in which they can be made. */
export function argocdRequests(repoURL: string): [service: string, method: string, request: object][] {
  const application = typedApplication(repoURL)
  return [
    ...inService('application.ApplicationService', [
      ['Create', { application: application, validate: true }],
      ['Get', { name: 'typed', refresh: 'normal' }],
      ['List', {}],
      ['Watch', { name: 'typed' }],
      ['Update', { application: application }],
      ['UpdateSpec', { name: 'typed', spec: application.spec }],
      ['ManagedResources', { applicationName: 'web' }],
      ['GetManifests', { name: 'web' }],
      ['Delete', { name: 'typed' }],
      ['WatchResourceTree', {}],
      ['PodLogs', {}],
      ['GetManifestsWithFiles', noMessages()],
    ]),
    ...inService('project.ProjectService', [
      ['Create', { project: typedProject }],
      ['Update', { project: typedProject }],
      ['Get', { name: 'typed' }],
      ['GetDetailedProject', { name: 'typed' }],
      ['GetGlobalProjects', { name: 'typed' }],
      ['List', {}],
      ['CreateToken', { project: 'typed', role: 'ci', id: 'one' }],
      ['DeleteToken', { project: 'typed', role: 'ci', id: 'one' }],
      ['Delete', { name: 'typed' }],
    ]),
    ...inService('repository.RepositoryService', [
      ...['', 'Write'].flatMap((write): [string, object][] => [
        [`Validate${write}Access`, { repo: repoURL }],
        [`Create${write}Repository`, { repo: { repo: repoURL, project: 'made', ...gitUser } }],
        [`Get${write}`, { repo: repoURL, appProject: 'made' }],
        [`List${write}Repositories`, {}],
        [`Delete${write}Repository`, { repo: repoURL, appProject: 'made' }],
      ]),
      ['Create', { repo: { repo: repoURL, project: 'made', ...gitUser } }],
      ['List', {}],
      ['Delete', { repo: repoURL, appProject: 'made' }],
    ]),
    ...inService(
      'repocreds.RepoCredsService',
      ['', 'Write'].flatMap((write): [string, object][] => [
        [`Create${write}RepositoryCredentials`, { creds: { url: 'https://git.example.com/below/' } }],
        [`List${write}RepositoryCredentials`, {}],
        [`Delete${write}RepositoryCredentials`, { url: 'https://git.example.com/below/' }],
      ]),
    ),
    ...inService('certificate.CertificateService', [
      ['CreateCertificate', {}],
      ['ListCertificates', {}],
      ['DeleteCertificate', { hostNamePattern: 'git.example.com' }],
    ]),
    ...inService('cluster.ClusterService', [
      ['List', {}],
      ['Get', { name: 'far' }],
      ['Delete', { name: 'far' }],
    ]),
  ]
}

/** Requests to one service. */
export function inService(
  service: string,
  calls: [method: string, request: object][],
): [string, string, object][] {
  return calls.map(([method, request]) => [service, method, request])
}
