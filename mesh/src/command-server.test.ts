import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { startMesh } from './mesh.ts'
import { openScratch } from './mesh-scratch-fixture.ts'

const files = {
  'wadi.yaml': 'actions: allow\n',
  'seed.txt': 'seeded\n',
  'packages/web/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: web}
x-wadi: {actions: sandbox}
values: {files: [values.yaml]}
components:
  - name: web
    required: true
    actions: {onDeploy: {before: [{cmd: cat ../../seed.txt, description: make, setValues: [{key: .name, type: string}]}]}}
    manifests: [{name: m, template: true, files: [m.yaml]}]
`,
  'packages/web/values.yaml': '{}\n',
  'packages/web/m.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Values.name }}"}\n',
  'apps/web.yaml': `apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: web, labels: {type: web}}
spec: {params: [{name: port, value: 8080}]}
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {type: web}
  params: [{name: port, default: 80}]
  resources: [{name: deploy, templateRef: {kind: ClusterTemplate, name: web}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: web}
spec:
  params: [{name: port, default: 80}]
  ytt: |
    #@ load("@ytt:data", "data")
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: #@ data.values.workload.metadata.name
    data:
      port: #@ str(data.values.params.port)
`,
}

/** Returns the result of rendering sources of the files in repo-server of a mesh. */
async function rendered(t: TestContext, runScripts: string | undefined, paths: readonly string[]) {
  const { data: dataDirectory, sockets, dry } = await openScratch(t)
  await using server = await startGitHttpServer()
  const { url: repoUrl, directory } = await server.createRepository('deploy.git')
  const source = await createRepository(dry)
  const sha = await source.commitFiles(files, 'Add everything')
  await source.git.push([directory, 'HEAD:main'])
  const environment = {
    WADI_LOG_LEVEL: 'error',
    WADI_POLL_INTERVAL: '1h',
    WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  await using owned = new AsyncDisposableStack()
  owned.use(await startMesh({ dataDirectory, listen: '127.0.0.1:0', runScripts, environment }))
  const [run = ''] = (await readdir(sockets)).filter((name) => name.startsWith('wadi-run-'))
  await using client = await createServiceClient(RepoServerService, {
    endpoints: [`unix:${join(sockets, run, 'repo-server.sock')}`],
    identity: createServiceIdentity({
      key: await loadServiceKey(join(dataDirectory, 'service.key')),
      service: 'hydrator',
    }),
    audience: 'repo-server',
  })
  const results = paths.map((): { manifests: unknown[]; error: string } => ({ manifests: [], error: '' }))
  for await (const part of client.renderSources({
    repoUrl,
    sha,
    verification: {},
    sources: paths.map((path) => ({ path })),
  })) {
    const result = results[part.index]
    assert.ok(result !== undefined)
    result.manifests.push(...part.manifests.map((text): unknown => JSON.parse(text)))
    result.error += part.error
  }
  return results
}

const isThere = (...command: [string, ...string[]]) =>
  promisify(execFile)(command[0], command.slice(1)).then(
    () => true,
    () => false,
  )
const hasNamespaces = await isThere('unshare', '--user', '--map-root-user', '--net', 'true')
const hasYtt = await isThere('ytt', 'version')

test(
  'a mesh that is allowed to hydrates what actions write',
  { skip: !hasNamespaces && 'no network namespaces' },
  async (t) => {
    const [web] = await rendered(t, 'allow', ['packages/web'])
    assert.deepEqual(web, {
      manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seeded' } }],
      error: '',
    })
  },
)

test('a mesh runs no action by default, and says who must allow it', async (t) => {
  const [web] = await rendered(t, undefined, ['packages/web'])
  assert.deepEqual(web?.manifests, [])
  assert.match(
    web?.error ?? '',
    /set \.name in packages\/web\/values\.yaml, or have a command server that runs scripts: scripts are not allowed here; start cmp-server with --run-scripts allow/,
  )
})

test(
  'a mesh fills in templates of ytt if there is one',
  { skip: !hasYtt && 'there is no ytt on this machine' },
  async (t) => {
    const [web] = await rendered(t, undefined, ['apps'])
    assert.equal(web?.error, '')
    const [manifest] = web?.manifests ?? []
    assert.partialDeepStrictEqual(manifest, {
      kind: 'ConfigMap',
      metadata: { name: 'web' },
      data: { port: '8080' },
    })
  },
)
