import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { createClient, Code, ConnectError } from '@connectrpc/connect'
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node'
import { publicServices } from '@wadi/api-gateway/public-services.ts'
import { noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { UnsupportedSchema } from '@wadi/protocol/gen/argocd/unsupported/unsupported_pb.ts'
import { applicationObject, configMap } from '../application-fixture.ts'
import { namesGenerator, setObject } from '../application-sets/set-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'
import { argocdRequests, inService } from './argocd-requests-fixture.ts'

const mesh = await meshOfFile()
const repository = await mesh.fixture.createRepository('deploy', {
  'web/values.yaml': 'replicas: 1\n',
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/config.yaml': configMap('web', '{{ .Values.replicas }}'),
})
const repoURL = repository.url
const drySha = await repository.head('main')
const web = { name: 'web', repoURL, branch: 'environments/dev' }
await mesh.fixture.applyAndWait(drySha, web)

const project = (name: string): JsonObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name },
  spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }], roles: [{ name: 'ci' }] },
})
const application = (name: string): JsonObject =>
  applicationObject({ name, path: 'web', repoURL, branch: 'environments/test' })
const repositorySecret = (): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'other', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
  stringData: { url: 'https://git.example.com/other.git' },
})
const clusterSecret: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'far', labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
  stringData: { server: 'https://far.example.com', name: 'far' },
}
const account = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm' } }
const set = (name: string) => setObject({ name, generators: [namesGenerator()], project: 'default' })
/** An ApplicationSet in the typed messages of Argo CD's own API. */
const typedSet = {
  metadata: { name: 'typed' },
  spec: {
    generators: [{ list: { elements: [] } }],
    template: {
      metadata: { name: 'typed' },
      spec: {
        project: 'default',
        destination: { server: 'https://kubernetes.default.svc', namespace: 'typed' },
        source: { repoURL: 'https://git.example.com/plain.git', path: 'plain' },
      },
    },
  },
}

/** A public GPG key. */
const gpgKey = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEawLsnRYJKwYBBAHaRw8BAQdAQ816lBPtFF5AuRurzljoBKSEE2dGrK0KJWsj
2pBZkXC0FUFubiA8YW5uQGV4YW1wbGUuY29tPoiQBBMWCAA4FiEEh/OAHDhXOHEG
bkpPVs3Twy7WskgFAmsC7J0CGwMFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AACgkQ
Vs3Twy7WskjIzAEA9yYAoC0v7OAcku6vjHZzNg4AIreDkEfF4oAOjqUpaPQBANk1
LcIBbILiFN8oGbmF8HbfcmCd93DEwlc1MF7dnrgI
=j20c
-----END PGP PUBLIC KEY BLOCK-----
`

/** Requests that the administrator has a right to and that say something, in the order in which they can be made. */
const requests = (): [service: string, method: string, request: object][] => [
  ...[
    { ...account, data: { 'accounts.ann': 'apiKey, login' } },
    { ...account, metadata: { name: 'argocd-rbac-cm' }, data: { 'policy.default': 'role:readonly' } },
    project('applied'),
    repositorySecret(),
    clusterSecret,
    application('applied'),
    set('applied'),
  ].map((resource): [string, string, object] => [
    'wadi.api_gateway.v1.ResourceService',
    'ApplyResource',
    { resource },
  ]),
  ...inService('wadi.api_gateway.v1.ApplicationService', [
    ['ListApplications', {}],
    ['GetApplication', { name: 'web', refresh: 'normal' }],
    ['CreateApplication', { application: application('made'), validate: true }],
    ['ApplyApplications', { applications: [application('made'), application('second')] }],
    ['UpdateApplication', { application: application('made'), validate: true }],
    ['WatchApplications', { name: 'web' }],
    ['LabelApplication', { name: 'made', labels: { team: 'web' } }],
    ['MoveApplication', { name: 'made', syncBranch: 'environments/moved' }],
    ['HydrateApplication', { name: 'web' }],
    ['GetManifests', { name: 'web' }],
    ['ListObjects', { name: 'web' }],
    ['GetObject', { name: 'web', object: { kind: 'ConfigMap', name: 'web' } }],
    ['ListObjectOrigins', { name: 'web' }],
    ['ExplainObject', { name: 'web', object: { kind: 'ConfigMap', name: 'web' } }],
    ['GetGates', { name: 'web' }],
    ['ListRuns', { name: 'web' }],
    ['GetRun', { name: 'web' }],
    ['ListHistory', { name: 'web' }],
    ['GetParameters', { name: 'web' }],
    ['SetParameters', { name: 'web', changes: { assignments: [{ target: 'replicas', value: '2' }] } }],
    ['RestoreDrySource', { name: 'web', drySha, dryRun: true }],
    ['PreviewParameters', { name: 'web', changes: { assignments: [{ target: 'replicas', value: '3' }] } }],
    ['GetCommitChanges', { name: 'web' }],
    ['CompareManifests', { before: { name: 'web' }, after: { name: 'web' } }],
    ['SearchApplications', { filter: { text: 'web', phases: ['Hydrated'] }, limit: 1 }],
    ['WatchApplicationSummaries', { filter: { text: 'web' } }],
    ['ListApplicationChoices', {}],
    ['SearchFindings', { filter: { severities: ['deny'] } }],
    ['DeleteApplication', { name: 'made' }],
  ]),
  ...inService('wadi.api_gateway.v1.BranchService', [
    ['ListBranches', { text: 'environments/dev' }],
    ['GetBranch', { repoUrl: repoURL, branch: 'environments/dev' }],
  ]),
  ...inService('wadi.api_gateway.v1.EnvironmentService', [
    ['ListEnvironments', { repository: repoURL }],
    ['GetDryCommit', { repoUrl: repoURL, sha: drySha }],
    ['ChangePullRequest', { repoUrl: repoURL, branch: 'environments/dev', change: 'open' }],
  ]),
  ...inService('wadi.api_gateway.v1.SearchService', [['Search', { text: 'web' }]]),
  ...inService('wadi.api_gateway.v1.PolicyService', [
    ['ExplainAccess', { subject: 'ann', checks: [{ resource: 'applications', action: 'get' }] }],
  ]),
  ...inService('wadi.api_gateway.v1.DiagnosticsService', [['GetDiagnostics', {}]]),
  ...inService('wadi.api_gateway.v1.ToolService', [
    ['ListTools', {}],
    ['VerifyTools', {}],
    ['AddTool', { tool: { name: 'helm', version: '4.2.4' } }],
    ['RemoveTool', { tool: { name: 'helm', version: '4.2.4' } }],
  ]),
  ...inService('wadi.api_gateway.v1.SignInService', [
    ['GetSignInMethods', {}],
    ['GetSession', {}],
  ]),
  ...inService('wadi.application_sets.v1.ApplicationSetService', [
    ['GenerateApplications', { applicationSet: set('made') }],
    ['ApplyApplicationSet', { applicationSet: set('made') }],
    ['GetApplicationSet', { name: 'made' }],
    ['ListApplicationSets', {}],
    ['WatchApplicationSets', { name: 'made' }],
    ['RefreshApplicationSet', { name: 'made' }],
    ['DeleteApplicationSet', { name: 'made' }],
  ]),
  ...inService('wadi.api_gateway.v1.ProjectService', [
    ['CreateProject', { project: project('made') }],
    ['PreviewProject', { project: project('made') }],
    ['UpdateProject', { project: project('made') }],
    ['ListPermittedProjects', { resource: 'applications', action: 'create' }],
    ['GetProject', { name: 'made' }],
    ['ListProjects', {}],
    ['CreateProjectToken', { project: 'made', role: 'ci', id: 'one' }],
    ['DeleteProjectToken', { project: 'made', role: 'ci', id: 'one' }],
    ['DeleteProject', { name: 'made' }],
  ]),
  ...inService('wadi.api_gateway.v1.ClusterService', [
    ['CreateCluster', { cluster: { name: 'near', server: 'https://near.example.com' } }],
    ['GetCluster', { cluster: 'near' }],
    ['ListClusters', {}],
    ['DeleteCluster', { cluster: 'near' }],
  ]),
  ...inService('wadi.api_gateway.v1.RepositoryService', [
    ['CreateRepository', { repoUrl: 'https://git.example.com/made.git', skipValidation: true }],
    ['GetRepositoryUse', { repoUrl: 'https://git.example.com/made.git' }],
    ['ListRepositories', {}],
    ['DeleteRepository', { repoUrl: 'https://git.example.com/made.git' }],
  ]),
  ...inService('wadi.api_gateway.v1.GpgKeyService', [
    ['CreateGpgKeys', { keyData: Buffer.from(gpgKey) }],
    ['GetGpgKey', { keyId: '56CDD3C32ED6B248' }],
    ['ListGpgKeys', {}],
    ['ListSigningKeys', {}],
    ['DeleteGpgKey', { keyId: '56CDD3C32ED6B248' }],
  ]),
  ...inService('wadi.api_gateway.v1.ReviewService', [
    ['CompareRevisions', { repoUrl: repoURL, revision: 'main', base: 'main' }],
  ]),
  ...inService('wadi.api_gateway.v1.VersionService', [['GetVersion', {}]]),
  ...inService('wadi.api_gateway.v1.PluginService', [
    ['ListPlugins', {}],
    ['GetPlugin', { name: 'none' }],
  ]),
  ...inService('version.VersionService', [['Version', {}]]),
  ...inService('cluster.SettingsService', [['Get', {}]]),
  ...inService('account.AccountService', [
    ['CanI', { resource: 'applications', action: 'get', subresource: '*' }],
    ['UpdatePassword', { name: 'ann', newPassword: 'a long password' }],
    ['ListAccounts', {}],
    ['GetAccount', { name: 'ann' }],
    ['CreateToken', { name: 'ann', id: 'one' }],
    ['DeleteToken', { name: 'ann', id: 'one' }],
  ]),
  ...inService('applicationset.ApplicationSetService', [
    ['Create', { applicationset: typedSet }],
    ['Get', { name: 'typed' }],
    ['List', {}],
    ['Generate', { applicationSet: typedSet }],
    ['Watch', { name: 'typed' }],
    ['Delete', { name: 'typed' }],
  ]),
  ...argocdRequests(repoURL),
  ...inService('session.SessionService', [
    ['GetUserInfo', {}],
    ['Create', { username: 'ann', password: 'a long password' }],
    ['Delete', {}],
  ]),
]

/** The calls that the operator is refused here: there is no plugin, and the token from a file is not a session that could end. */
const refusedToTheOperator = new Map([
  // Where gpg is not installed, keys can neither be read nor stored.
  ...(noSigningPrograms
    ? ['CreateGpgKeys', 'GetGpgKey', 'DeleteGpgKey'].map((method): [string, Code] => [
        `wadi.api_gateway.v1.GpgKeyService/${method}`,
        method === 'CreateGpgKeys' ? Code.FailedPrecondition : Code.NotFound,
      ])
    : []),
  ['wadi.api_gateway.v1.PluginService/GetPlugin', Code.NotFound],
  // The branch is deployed from itself.
  ['wadi.api_gateway.v1.EnvironmentService/ChangePullRequest', Code.FailedPrecondition],
  // Tools are not downloaded unless the operator says so.
  ['wadi.api_gateway.v1.ToolService/AddTool', Code.FailedPrecondition],
  ['wadi.api_gateway.v1.ToolService/RemoveTool', Code.FailedPrecondition],
  ['session.SessionService/Delete', Code.FailedPrecondition],
])

/** Codes that no request of a user may end with. */
const errorsOfTheServer = [Code.Internal, Code.Unknown, Code.DataLoss]

test('no RPC of the public services ends with an error of the server, whether the request says something or not', async () => {
  using connections = new DisposableStack()
  const sessionManager = new Http2SessionManager(mesh.address)
  connections.defer(() => sessionManager.abort())
  const transport = createConnectTransport({ baseUrl: mesh.address, httpVersion: '2', sessionManager })
  const headers = new Headers({ authorization: `Bearer ${mesh.token}` })
  const methods = publicServices.flatMap((service) => {
    const client = createClient(service, transport) as unknown as Record<string, Call>
    return service.methods.map((method) => ({ service, method, call: client[method.localName] }))
  })
  const answered = new Set<string>()
  const everyCall = [
    ...requests(),
    ...methods
      // A stream that nothing happens on has no first message.
      .filter(({ method }) => method.methodKind === 'unary')
      .map(({ service, method }): [string, string, object] => [service.typeName, method.name, {}]),
  ]
  for (const [service, name, request] of everyCall) {
    const found = methods.find((one) => one.service.typeName === service && one.method.name === name)
    assert.ok(found?.call, `${service}/${name}`)
    const code = await codeOf(found.call, request, headers)
    assert.ok(!errorsOfTheServer.includes(code ?? Code.NotFound), `${service}/${name} ${Code[code ?? 0]}`)
    const isUnsupported = found.method.input.typeName === UnsupportedSchema.typeName
    const rejection = isUnsupported ? Code.Unimplemented : refusedToTheOperator.get(`${service}/${name}`)
    if (code === rejection || (code === undefined && !isUnsupported)) answered.add(`${service}/${name}`)
  }
  const all = methods.map(({ service, method }) => `${service.typeName}/${method.name}`)
  assert.deepEqual(
    all.filter((name) => !answered.has(name)),
    [],
    'each RPC is answered once',
  )
})

type Call = (
  request: object,
  options: { headers: Headers; signal: AbortSignal },
) => Promise<unknown> | AsyncIterable<unknown>

/** Makes a call, of a stream until its first message, and returns the code that it is refused with. */
async function codeOf(call: Call, request: object, headers: Headers): Promise<Code | undefined> {
  const end = new AbortController()
  try {
    const answer = call(request, { headers, signal: end.signal })
    if (Symbol.asyncIterator in answer) await answer[Symbol.asyncIterator]().next()
    else await answer
    return undefined
  } catch (error) {
    return ConnectError.from(error).code
  } finally {
    end.abort()
  }
}
