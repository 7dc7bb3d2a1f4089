import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import { makeToolsDirectory, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { explainSource } from '../../parameters/explain/explain-source.ts'
import { RenderFixture, testSource } from '../../run/render-fixture.ts'
import { findTools, type Tools } from '@wadi/renderer-tools/find-tools.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'

const skip = renderersMissing ?? false
const toolsDirectory = makeToolsDirectory()
let tools: Tools

before(async () => {
  tools = await findTools({ cacheDirectory: toolCache, toolsDirectory: toolsDirectory.path })
})

after(() => toolsDirectory[Symbol.dispose]())

function chart(directory: string): Record<string, string> {
  const name = path.basename(directory)
  return {
    [`${directory}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
    [`${directory}/templates/a.yaml`]: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {helm: "{{ .Capabilities.HelmVersion.Version }}"}\n`,
  }
}

/** A kustomization that Kustomize 5.7.1 and 5.8.3 build differently. */
function kustomization(directory: string): Record<string, string> {
  return {
    [`${directory}/kustomization.yaml`]:
      'resources: [web.yaml]\nlabels: [{pairs: {team: a}, includeTemplates: true}]\n',
    [`${directory}/web.yaml`]: `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: ${path.basename(directory)}}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce]}}]
`,
  }
}

const zarf = `kind: ZarfPackageConfig
metadata: {name: p}
components:
  - name: web
    required: true
    charts:
      - {name: one, namespace: ns, version: 1.0.0, localPath: one}
      - {name: two, namespace: ns, version: 1.0.0, localPath: ../charts/two}
    manifests:
      - {name: new, namespace: ns, kustomizations: [new]}
      - {name: old, namespace: ns, kustomizations: [old]}
`
const packaged = {
  'p/zarf.yaml': zarf,
  ...chart('p/one'),
  ...chart('charts/two'),
  ...kustomization('p/new'),
  ...kustomization('p/old'),
}

/** Which Helm made each ConfigMap, and whether each StatefulSet is as Kustomize 5.7.1 builds it. */
function versionsIn(manifests: readonly string[]): Record<string, unknown> {
  const entries = manifests.map((text): [string, unknown] => {
    const { metadata, data, spec } = JSON.parse(text)
    return [metadata.name, data?.helm ?? 'labels' in spec.volumeClaimTemplates[0].metadata]
  })
  return Object.fromEntries(entries)
}

test(
  'parts of a package render with the versions of their directories, else with those of the repository',
  { skip },
  async () => {
    await using fixture = new RenderFixture(tools, packaged)
    const fingerprints = new Set<string>()
    const rendered = async () => {
      const { manifests, record, fingerprint } = await fixture.render(testSource('p'))
      fingerprints.add(fingerprint)
      const digests = record.tools.map(({ sha256 }) => sha256)
      assert.ok(digests.every((digest) => /^[0-9a-f]{64}$/.test(digest)))
      assert.equal(new Set(digests).size, digests.length)
      return [versionsIn(manifests), record.tools.map(({ name, version }) => `${name} ${version}`)]
    }
    assert.deepEqual(await rendered(), [
      { one: helmOfCharts, two: helmOfCharts, new: true, old: true },
      [`helm ${helmOfCharts}`, `kustomize ${kustomizeVersion}`],
    ])
    fixture.write('charts/two/.argocd-source.yaml', 'helm: {version: 4.3.1, valueFiles: [for-others.yaml]}\n')
    fixture.write('p/new/.argocd-source.yaml', 'kustomize: {version: v5.8.3}\n')
    assert.deepEqual(await rendered(), [
      { one: helmOfCharts, two: 'v4.3.1', new: false, old: true },
      [`helm ${helmOfCharts}`, 'helm v4.3.1', `kustomize ${kustomizeVersion}`, 'kustomize v5.8.3'],
    ])
    fixture.write('wadi.yaml', 'tools: {helm: 3.22.0, kustomize: 5.8.3}\n')
    fixture.write('p/old/.argocd-source.yaml', `kustomize: {version: ${kustomizeVersion.slice(1)}}\n`)
    assert.deepEqual((await rendered())[0], { one: 'v3.22.0', two: 'v4.3.1', new: false, old: true })

    fixture.write('p/one/.argocd-source.yaml', 'helm: {version: 4.3.1}\n')
    fixture.write('charts/two/.argocd-source.yaml', 'helm: {version: 3.22.0}\n')
    assert.deepEqual((await rendered())[0], { one: 'v4.3.1', two: 'v3.22.0', new: false, old: true })
    assert.equal(fingerprints.size, 4)
  },
)

test('the versions that parts ask for are explained with their places', { skip }, async () => {
  await using fixture = new RenderFixture(tools, packaged)
  fixture.write('wadi.yaml', 'tools: {kustomize: 5.8.3}\n')
  fixture.write('p/one/.argocd-source.yaml', '\nhelm: {version: 4.3.1}\n')
  const inspection = await fixture.inspect(testSource('p'))
  const explained = await explainSource(openDirectoryTree(fixture.directory), inspection)
  assert.deepEqual(
    explained.map(({ of, path: name, value, from }) => [
      of,
      name,
      value,
      from.owner,
      `${from.file}:${from.line}`,
    ]),
    [
      ['versions of tools', '.kustomize', '5.8.3', 'operator', 'wadi.yaml:1'],
      [
        'versions of tools of component "web" chart "one"',
        '.helm',
        '4.3.1',
        'developer',
        'p/one/.argocd-source.yaml:2',
      ],
    ],
  )
})

const supplyChain = (spec: string) => ({
  'platform/chain.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {type: web}
  params: [{name: helm, default: 4.3.1}]
  resources: [{name: deploy, templateRef: {kind: ClusterTemplate, name: web}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: web}
spec:
  template:
    apiVersion: wadi.dev/v1alpha1
    kind: Render
    metadata: {name: web}
    spec:
      path: charts/two
      ${spec}
`,
  'wadi.yaml': 'platform: [platform]\ntools: {helm: 3.22.0}\n',
  'web/workload.yaml':
    'apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: web, namespace: ns, labels: {type: web}}\nspec: {}\n',
  ...chart('charts/two'),
})

test(
  'what a supply chain renders has the version of its step or its directory, else that of the repository',
  { skip },
  async () => {
    const helmOf = async (files: Record<string, string>): Promise<unknown> => {
      await using fixture = new RenderFixture(tools, files)
      const { manifests, record } = await fixture.render(testSource('web'))
      const { two } = versionsIn(manifests)
      assert.deepEqual(
        record.tools.map(({ version }) => version),
        [two],
      )
      return two
    }
    const pinned = { 'charts/two/.argocd-source.yaml': 'helm: {version: 4.3.1}\n' }
    assert.equal(await helmOf(supplyChain('')), 'v3.22.0')
    assert.equal(await helmOf({ ...supplyChain(''), ...pinned }), 'v4.3.1')
    assert.equal(await helmOf(supplyChain('helm: {version: $(params.helm)$}')), 'v4.3.1')
    assert.equal(await helmOf({ ...supplyChain('helm: {version: v4.3.1}'), ...pinned }), 'v4.3.1')
    assert.equal(await helmOf({ ...supplyChain('helm: {version: null}'), ...pinned }), 'v3.22.0')
  },
)

test('what is wrong with the version of a part is an error with file and line', { skip }, async () => {
  const failure = async (directory: string, files: Record<string, string>): Promise<string> => {
    await using fixture = new RenderFixture(tools, files)
    try {
      await fixture.inspect(testSource(directory))
      return 'inspected'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const beside = (version: string) => ({
    ...packaged,
    'p/one/.argocd-source.yaml': `helm:\n  version: ${version}\n`,
  })
  for (const version of ['^4.3.0', '4.3', 'latest', '">=4"', '[4.3.1]']) {
    assert.match(await failure('p', beside(version)), /p\/one\/\.argocd-source\.yaml:2: .*helm\.version/)
    const inChain = await failure('web', supplyChain(`helm: {version: ${JSON.stringify(version)}}`))
    assert.match(inChain, /platform\/chain\.yaml:19:\d+: .*spec\.helm\.version must be one exact version/)
  }
  assert.match(
    await failure('web', supplyChain('helm: {version: 4.3}')),
    /platform\/chain\.yaml:19:\d+: .*exact/,
  )
  assert.match(
    await failure('p', beside('4.9.9')),
    /p\/one\/\.argocd-source\.yaml:2: .*helm 4\.9\.9 is not installed; /,
  )
  assert.match(
    await failure('web', supplyChain('helm: {version: 4.9.9}')),
    /platform\/chain\.yaml:19:\d+: .*helm 4\.9\.9 is not installed; /,
  )
  assert.match(
    await failure('web', {
      ...supplyChain('helm: {version: 4.3.1}'),
      'charts/two/.argocd-source.yaml': 'helm: {version: 3.22.0}\n',
    }),
    /platform\/chain\.yaml:19:\d+: .*spec\.helm\.version is 4\.3\.1, but charts\/two\/\.argocd-source\.yaml:1: helm\.version is 3\.22\.0; remove one/,
  )
  assert.match(
    await failure('p', { ...packaged, 'p/.argocd-source.yaml': 'helm: {version: 4.3.1}\n' }),
    /^p\/\.argocd-source\.yaml:1: source "p" is a package/,
  )
})
