import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { RenderFixture, strictPolicy, testSource } from '../../run/render-fixture.ts'
import { bundledTool } from '@wadi/renderer-tools/bundled-tools.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'

const policy = { ...strictPolicy, kustomizeBuildOptions: ['--enable-helm'] }

/** A chart that shows what it is given, and what a kustomization can say of a chart. */
const files = {
  'charts/mini/Chart.yaml': 'apiVersion: v2\nname: mini\nversion: 0.1.0\n',
  'charts/mini/values.yaml': 'a: 1\nb: 1\n',
  'charts/mini/crds/thing.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\n',
  'charts/mini/templates/shown.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data:
  a: "{{ .Values.a }}"
  b: "{{ .Values.b }}"
  namespace: "{{ .Release.Namespace }}"
  kubernetes: "{{ .Capabilities.KubeVersion.Version }}"
  api: "{{ .Capabilities.APIVersions.Has "example.com/v1" }}"
`,
  'charts/mini/templates/test.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: test, annotations: {helm.sh/hook: test}}\n',
  'kustomization.yaml': `namespace: shop
helmGlobals: {chartHome: charts}
helmCharts:
- name: mini
  releaseName: web
  namespace: apps
  includeCRDs: true
  skipTests: true
  kubeVersion: 1.30.0
  apiVersions: [example.com/v1]
  valuesInline: {a: 2}
  valuesMerge: override
`,
}

const versions = {
  helm: ['4.1.4', '4.3.1', '3.22.0'],
  kustomize: ['5.7.1', '5.8.3'],
} as const

test(
  'charts of kustomizations are rendered by every Kustomize with every Helm that git may ask for',
  { skip: renderersMissing ?? false },
  async () => {
    const [helm, kubectl] = [await bundledTool('helm', toolCache), await bundledTool('kubectl', toolCache)]
    await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-pairs-'))
    const programs = {
      'helm/4.3.1': rendererFiles.helm4,
      'helm/3.22.0': rendererFiles.helm3,
      'kustomize/5.8.3': rendererFiles.kustomize,
    }
    for (const [name, program] of Object.entries(programs)) {
      await mkdir(path.join(directory.path, name), { recursive: true })
      await symlink(program, path.join(directory.path, name, path.dirname(name)))
    }
    const options = { cacheDirectory: toolCache, helm, kubectl, toolsDirectory: directory.path }
    await using fixture = new RenderFixture(await findTools(options), files)
    for (const kustomize of versions.kustomize)
      for (const version of versions.helm) {
        fixture.write('wadi.yaml', `tools: {helm: ${version}, kustomize: ${kustomize}}\n`)
        const { manifests, record } = await fixture.render(testSource(''), {}, policy)
        const pair = `Kustomize ${kustomize} with Helm ${version}`
        assert.deepEqual(
          record.tools.map((tool) => `${tool.name} ${tool.version}`),
          [`kustomize v${kustomize}`, `helm v${version}`],
        )
        assert.deepEqual(manifests.map(essence), expectedOf(kustomize), pair)
      }
  },
)

/** Older versions of Kustomize set the namespace on what a chart makes, newer ones say it to the chart. */
function expectedOf(kustomize: string): unknown[] {
  const isOld = kustomize === '5.7.1'
  const data = { a: '2', api: 'true', b: '1', kubernetes: 'v1.30.0', namespace: 'apps' }
  return [
    ['CustomResourceDefinition', { name: 'things.example.com' }, undefined],
    ['ConfigMap', { name: 'web', ...(isOld && { namespace: 'shop' }) }, data],
  ]
}

function essence(manifest: string): unknown[] {
  const { kind, metadata, data } = JSON.parse(manifest)
  return [kind, metadata, data]
}

test('a Helm that no Kustomize is known to work with is refused before it is started, with what to choose', async () => {
  const tools = await findTools({ cacheDirectory: toolCache })
  const newer = { ...tools, helm: { command: ['/nowhere'], version: 'v5.0.0' } }
  await using fixture = new RenderFixture(newer, files)
  await assert.rejects(
    fixture.inspect(testSource(''), policy),
    /Kustomize v5\.\d\.\d cannot render charts with Helm v5\.0\.0; choose a Helm 4, by tools\.helm of wadi\.yaml, or WADI_HELM of the operator/,
  )
})
