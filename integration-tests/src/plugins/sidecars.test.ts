import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { testTools } from '@wadi/rendering/run/render-fixture.ts'
import { type MeshFixture, startMeshFixture } from '../mesh-fixture.ts'

const tools = await testTools().catch((error: unknown) => String(error))
const skip = typeof tools === 'string' && tools

/** `kustomize build .`, with the kubectl that stands in for it where there is none. */
const kustomizeBuild =
  typeof tools === 'string' || tools.kustomize.standalone ? 'kustomize build .' : 'kubectl kustomize .'

/** A replacement for envsubst, on machines that lack it. */
const substitute = String.raw`node -e 'process.stdout.write(require("fs").readFileSync(0, "utf8").replace(/\$\{(\w+)\}/g, (_, name) => process.env[name] ?? ""))'`
const hasEnvsubst = spawnSync('sh', ['-c', 'command -v envsubst']).status === 0

/** Fills `<path:secrets/team#key>` in, as plugins do that ask a vault. */
const fillIn = String.raw`node -e 'process.stdout.write(require("fs").readFileSync(0, "utf8").replace(/<path:[^#>]+#(\w+)>/g, (_, key) => "filled-" + key))'`

const helmTemplate =
  'helm template "$ARGOCD_APP_NAME" . --namespace "$ARGOCD_APP_NAMESPACE" --include-crds ${ARGOCD_ENV_HELM_ARGS:-}'

/** Plugins in the manner of those that people run beside Argo CD: nothing in them is for Wadi. */
const plugins = {
  'helm-app': { generate: { command: ['sh', '-c'], args: [helmTemplate] } },
  'helm-untold': { generate: { command: ['sh', '-c'], args: ['helm template "x$ARGOCD_APP_NAME" .'] } },
  'helm-fails': { generate: { command: ['sh', '-c'], args: [helmTemplate] } },
  'vault-helm-v1.0': {
    version: 'v1.0',
    allowConcurrency: true,
    lockRepo: false,
    discover: { find: { command: ['sh', '-c', "find . -name '*.yaml' | xargs grep -l '<path:' | grep ."] } },
    generate: { command: ['sh', '-c', `set -e; helm template "$ARGOCD_APP_NAME" . | ${fillIn}`] },
  },
  'kustomize-envsubst': {
    generate: {
      command: ['sh', '-c'],
      args: [`${kustomizeBuild} | ${hasEnvsubst ? 'envsubst' : substitute}`],
    },
  },
}

const variables = [
  'helm-app=ARGOCD_APP_NAME,ARGOCD_APP_NAMESPACE',
  'vault-helm-v1.0=ARGOCD_APP_NAME',
  'kustomize-envsubst=ARGOCD_APP_NAME,ARGOCD_APP_PROJECT_NAME,KUBE_VERSION=1.34.0',
].join(';')

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-config
  namespace: {{ .Release.Namespace }}
data:
  size: {{ .Values.size | default "small" | quote }}
`,
}

function below(directory: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${directory}/${name}`, text]))
}

let directory: string
let mesh: MeshFixture
before(async () => {
  if (skip) return
  directory = await mkdtemp(join(tmpdir(), 'wadi-sidecars-'))
  const files = []
  for (const [name, spec] of Object.entries(plugins)) {
    const file = join(directory, `${name}.yaml`)
    const metadata = { name: name.replace('-v1.0', '') }
    await writeFile(file, JSON.stringify({ kind: 'ConfigManagementPlugin', metadata, spec }))
    files.push(file)
  }
  mesh = await startMeshFixture({ plugins: files, environment: { WADI_PLUGIN_VARIABLES: variables } })
})
after(async () => {
  if (skip) return
  await mesh[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

test('a sidecar that runs helm has the name and the namespace of the application', { skip }, async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('helm', {
    ...below('apps/shop', chart),
    'apps/shop/.argocd-source.yaml':
      'plugin: {name: helm-app, env: [{name: HELM_ARGS, value: --set size=$ARGOCD_APP_NAME}]}\n',
  })
  const branch = 'environments/helm'
  const application = { name: 'shop', path: 'apps/shop', namespace: 'web', repoURL: repository.url, branch }
  await fixture.applyAndWait(await repository.dry.head(), application)
  const manifest = await repository.read(branch, 'shop/manifest.yaml')
  assert.match(manifest, /name: shop-config\n {2}namespace: web/)
  assert.match(manifest, /size: shop/)
  const metadata: unknown = JSON.parse(await repository.read(branch, 'shop/hydrator.metadata'))
  assert.deepEqual(Reflect.get(Object(metadata), 'pluginVariables'), {
    ARGOCD_APP_NAME: 'shop',
    ARGOCD_APP_NAMESPACE: 'web',
  })
  // What decides the result is a part of its fingerprint: another namespace makes other manifests of the same commit.
  await fixture.apply({ ...application, namespace: 'other' })
  await fixture.hydrate('shop')
  assert.match(await repository.read(branch, 'shop/manifest.yaml'), /namespace: other/)
})

test(
  'applications that share a path are refused when the plugin is given their names',
  { skip },
  async () => {
    const { fixture } = mesh
    const repository = await fixture.createRepository('sharing', {
      ...below('told', chart),
      'told/.argocd-source.yaml': 'plugin: {name: helm-app}\n',
      ...below('untold', chart),
      'untold/.argocd-source.yaml': 'plugin: {name: helm-untold}\n',
    })
    const application = (name: string, path: string) => ({
      name,
      path,
      syncPath: 'shared',
      repoURL: repository.url,
      branch: `environments/${path}`,
    })
    await fixture.apply(application('told-a', 'told'))
    assert.match(
      await fixture.applyAndFail(application('told-b', 'told')),
      /path shared of branch environments\/told is also claimed by application (?:argocd\/)?told-a, and the plugin that renders it is given ARGOCD_APP_NAME, so each has its own manifests; give each its own path/,
    )
    const drySha = await repository.dry.head()
    await fixture.applyAndWait(drySha, application('untold-a', 'untold'), application('untold-b', 'untold'))
  },
)

test(
  'without the setting a warning and the error say what the command reads and how to set it',
  { skip },
  async () => {
    const { fixture } = mesh
    const repository = await fixture.createRepository('untold', {
      ...below('untold', chart),
      'untold/.argocd-source.yaml': 'plugin: {name: helm-untold}\n',
      ...below('fails', chart),
      'fails/.argocd-source.yaml': 'plugin: {name: helm-fails}\n',
    })
    const application = { name: 'untold', repoURL: repository.url, branch: 'environments/no-name' }
    await fixture.applyAndWait(await repository.dry.head(), application)
    const { warnings } = await fixture.hydrate('untold')
    assert.deepEqual(warnings, [
      'plugin helm-untold: it reads ARGOCD_APP_NAME, which is not set; to set it, give repo-server --plugin-variables "helm-untold=ARGOCD_APP_NAME" (WADI_PLUGIN_VARIABLES), or write "variables: [ARGOCD_APP_NAME]" below spec in the plugin\'s file',
    ])
    const message = await fixture.applyAndFail({
      ...application,
      name: 'fails',
      branch: 'environments/fails',
    })
    assert.match(
      message,
      /release name check failed.*it reads ARGOCD_APP_NAME, ARGOCD_APP_NAMESPACE, which are not set; to set them, give repo-server --plugin-variables "helm-fails=ARGOCD_APP_NAME,ARGOCD_APP_NAMESPACE" \(WADI_PLUGIN_VARIABLES\), or write "variables: \[ARGOCD_APP_NAME, ARGOCD_APP_NAMESPACE\]" below spec/s,
    )
  },
)

test(
  'a sidecar that finds its applications and fills placeholders of a chart in works',
  { skip },
  async () => {
    const { fixture } = mesh
    const repository = await fixture.createRepository('vault', {
      ...below('secret', chart),
      'secret/values.yaml': 'size: <path:secrets/data/team#size>\n',
    })
    const branch = 'environments/vault'
    await fixture.applyAndWait(await repository.dry.head(), {
      name: 'secret',
      repoURL: repository.url,
      branch,
    })
    const manifest = await repository.read(branch, 'secret/manifest.yaml')
    assert.match(manifest, /size: filled-size/)
    assert.match(manifest, /name: secret-config/)
  },
)

test('an absolute link elsewhere in the repository fails no application but its own', { skip }, async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('links', {
    ...below('secret', chart),
    'secret/values.yaml': 'size: <path:secrets/data/team#size>\n',
    'plain/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n',
    'linked/.argocd-source.yaml': 'plugin: {name: helm-untold}\n',
  })
  const root = (await repository.dry.git.revparse(['--show-toplevel'])).trim()
  await symlink('/etc/passwd', join(root, 'linked/passwd'))
  await repository.dry.git.raw(['add', 'linked/passwd'])
  const drySha = await repository.push({ 'other.txt': '' })
  const application = (name: string) => ({
    name: `links-${name}`,
    path: name,
    repoURL: repository.url,
    branch: `environments/links-${name}`,
  })
  await fixture.applyAndWait(drySha, application('secret'), application('plain'))
  const { warnings } = await fixture.hydrate('links-secret')
  assert.deepEqual(warnings, [
    'plugin vault-helm-v1.0: symlinks outside of the application\'s directory are left out: linked/passwd leads out of the repository, to "/etc/passwd"',
  ])
  assert.match(
    await fixture.applyAndFail(application('linked')),
    /repository contains out-of-bounds symlinks\. file: linked\/passwd leads out of the repository, to "\/etc\/passwd", and is where the plugin may read it; remove it/,
  )
})

test('a sidecar that substitutes variables in what kustomize builds works', { skip }, async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('envsubst', {
    'site/kustomization.yaml': 'namePrefix: ${ARGOCD_APP_NAME}-\nresources: [site.yaml]\n',
    'site/site.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: site}\ndata: {project: "${ARGOCD_APP_PROJECT_NAME}", cluster: "${KUBE_VERSION}"}\n',
    'site/.argocd-source.yaml': 'plugin: {name: kustomize-envsubst}\n',
  })
  const branch = 'environments/envsubst'
  await fixture.applyAndWait(await repository.dry.head(), { name: 'site', repoURL: repository.url, branch })
  const manifest = await repository.read(branch, 'site/manifest.yaml')
  assert.match(manifest, /cluster: 1\.34\.0\n {2}project: default/)
  assert.match(manifest, /name: site-site/)
})
