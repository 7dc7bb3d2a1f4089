import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { makeTestFolder } from './hydration-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'

/** The settings of an operator, for a server and for local rendering alike. */
const settings = {
  WADI_KUSTOMIZE_BUILD_OPTIONS: '--enable-helm',
  WADI_MAX_MANIFEST_SIZE: '2KiB',
  ...(renderersMissing === undefined && {
    WADI_HELM: rendererFiles.helm4,
    WADI_KUSTOMIZE: rendererFiles.kustomize,
  }),
}

/** Makes a folder the root of a repository. */
const head = 'ref: refs/heads/main\n'

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made}\n'
const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: mini\nversion: 0.1.0\n',
  'values.yaml': 'a: 1\n',
  'templates/a.yaml': `${configMap}data: {helm: "{{ .Capabilities.HelmVersion.Version }}", kube: "{{ .Capabilities.KubeVersion }}", a: "{{ .Values.a }}"}\n`,
}
const below = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))

/** Sources that a server renders, or refuses, with these settings. */
const files = {
  ...below('chart', chart),
  ...below('charts-of-kustomize/charts/mini', chart),
  'charts-of-kustomize/kustomization.yaml':
    'helmCharts:\n- {name: mini, releaseName: mini, namespace: shop}\n',
  'plain/a.yaml': configMap,
  'overlay/kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: x-\n',
  'overlay/a.yaml': configMap,
  'remote-base/kustomization.yaml': 'resources: ["https://example.com/base.git"]\n',
  'remote-chart/kustomization.yaml':
    'helmCharts:\n- {name: far, repo: "https://charts.example.com", version: 1.0.0}\n',
  'remote-dependency/Chart.yaml':
    'apiVersion: v2\nname: d\nversion: 0.1.0\ndependencies:\n- {name: far, version: 1.0.0, repository: "https://charts.example.com"}\n',
  'too-large/a.yaml': `${configMap}data: {a: ${'x'.repeat(3_000)}}\n`,
}

let owned: AsyncDisposableStack
let mesh: MeshFixture
before(async () => {
  owned = new AsyncDisposableStack()
  mesh = owned.use(await startMeshFixture({ environment: settings }))
})
after(async () => {
  await owned.disposeAsync()
})

async function writeFiles(folder: string, texts: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
}

const sources = [...new Set(Object.keys(files).map((file) => file.split('/')[0] ?? ''))]
for (const source of sources) {
  test(`local rendering is as that of a server with the same settings: ${source}`, async () => {
    const { fixture } = mesh
    const repository = await fixture.createRepository(`local-${source}`, files)
    const branch = `environments/${source}`
    const application = {
      name: `local-${source}`,
      path: source,
      syncPath: source,
      repoURL: repository.url,
      branch,
    }
    const folder = join(await makeTestFolder(owned), 'checkout')
    await writeFiles(folder, { ...files, '.git/HEAD': head })
    const environment = { ...settings, XDG_CACHE_HOME: cacheHome }
    const { stdout, stderr, code } = await runWadi(['render', source], { folder, environment })
    if (code === 0) {
      await fixture.applyAndWait(await repository.dry.head(), application)
      assert.equal(stdout, await repository.read(branch, `${source}/manifest.yaml`))
      return
    }
    const message = (await fixture.applyAndFail(application)).replace(/^Failed to hydrate: /, '')
    assert.match(stderr, new RegExp(RegExp.escape(message.split('\n')[0] ?? '')))
  })
}

test('the settings are those of the server also where they are wrong', async () => {
  const folder = await makeTestFolder(owned)
  for (const [environment, expected] of [
    [{ WADI_HELM: '/nowhere/tool' }, /helm at \/nowhere\/tool does not report its version/],
    [{ WADI_KUSTOMIZE: '/nowhere/tool' }, /kustomize at \/nowhere\/tool does not report its version/],
    [{ WADI_RENDER_TIMEOUT: 'soon' }, /WADI_RENDER_TIMEOUT/],
  ] as const) {
    const { stderr, code } = await runWadi(['render', '.'], {
      folder,
      environment: { ...environment, XDG_CACHE_HOME: cacheHome },
    })
    assert.notEqual(code, 0)
    assert.match(stderr, expected)
  }
})

test('a submodule is no part of the repository that it is in, as for a server', async () => {
  const folder = await makeTestFolder(owned)
  // As git lays them out.
  await writeFiles(folder, {
    '.git/HEAD': head,
    'sub/.git': 'gitdir: ../.git/modules/sub\n',
    'sub/a.yaml': configMap,
    'overlay/kustomization.yaml': 'resources: [../sub/a.yaml]\n',
  })
  const environment = { XDG_CACHE_HOME: cacheHome }
  const { stderr, code } = await runWadi(['render', 'sub'], { folder, environment })
  assert.notEqual(code, 0)
  assert.match(
    stderr,
    /sub\\?" is a git submodule, whose files are not part of this repository; copy them in/,
  )
})
