import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import { makeToolsDirectory, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { until } from '@wadi/testing/until.ts'
import { isHydratedAt, isSettled } from '../gateway-fixture.ts'
import { type MeshFixture, startMeshFixture } from '../mesh-fixture.ts'
import { connectForge } from '../pull-request-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { propose } from '../review-fixture.ts'
import { versionChart } from './version-chart-fixture.ts'

const skip = renderersMissing ?? false
const toolsDirectory = makeToolsDirectory()
let mesh: MeshFixture

before(async () => {
  if (skip) return
  mesh = await startMeshFixture({ environment: { WADI_TOOLS_DIRECTORY: toolsDirectory.path } })
  await mesh.fixture.applyOperatorSettings({ 'sourceHydrator.reviews': '*' })
  await mesh.fixture.applyProject('shown', {}, { 'wadi.dev/reviews': 'diffs' })
})
after(async () => {
  toolsDirectory[Symbol.dispose]()
  if (!skip) await mesh[Symbol.asyncDispose]()
})

const files: Record<string, string> = {
  ...versionChart('plain', 'plain'),
  ...versionChart('charts/one', 'one'),
  ...versionChart('charts/two', 'two'),
  'overlay/kustomization.yaml': 'resources: [a.yaml]\n',
  'overlay/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: overlay}\n',
  'packed/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: packed}
components:
  - name: web
    required: true
    charts:
      - {name: one, namespace: ns, version: 1.0.0, localPath: ../charts/one}
      - {name: two, namespace: ns, version: 1.0.0, localPath: ../charts/two}
`,
  'platform/chain.yaml': chain(''),
  'supplied/workload.yaml':
    'apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: web, namespace: ns, labels: {type: web}}\nspec: {}\n',
  'wadi.yaml': 'platform: [platform]\n',
}

function chain(options: string): string {
  return `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {type: web}
  resources: [{name: deploy, templateRef: {kind: ClusterTemplate, name: web}}, {name: more, templateRef: {kind: ClusterTemplate, name: more}}]
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
      path: charts/one
      ${options}
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: more}
spec:
  template: {apiVersion: wadi.dev/v1alpha1, kind: Render, metadata: {name: more}, spec: {path: charts/two}}
`
}

const names = ['plain', 'packed', 'supplied', 'overlay']

interface Pinned {
  readonly repository: RepositoryFixture
  readonly branch: string
  /** The tools that made a directory. */
  readonly toolsOf: (directory: string) => Promise<string[]>
}

async function hydrated(name: string): Promise<Pinned> {
  const { fixture } = mesh
  const repository = await fixture.createRepository(`acme/${name}`, files)
  const branch = `environments/${name}`
  await fixture.applyAndWait(
    await repository.dry.head(),
    ...names.map((directory) => ({
      name: `${name}-${directory}`,
      path: directory,
      syncPath: directory,
      repoURL: repository.url,
      branch,
      project: 'shown',
    })),
  )
  const toolsOf = async (directory: string): Promise<string[]> => {
    const { tools } = JSON.parse(await repository.read(branch, `${directory}/hydrator.metadata`))
    return tools.map((tool: { name: string; version: string; sha256: string }) => {
      assert.match(tool.sha256, /^[0-9a-f]{64}$/)
      return `${tool.name} ${tool.version}`
    })
  }
  return { repository, branch, toolsOf }
}

/** Renders the dry commit of an Application again on this machine, as far as it has the versions. */
async function reproduce(name: string, { dry }: RepositoryFixture, tools = toolsDirectory.path) {
  const environment = {
    WADI_SERVER: mesh.address,
    WADI_AUTH_TOKEN: mesh.token,
    WADI_TOOLS_DIRECTORY: tools,
    XDG_CACHE_HOME: cacheHome,
  }
  return runWadi(['reproduce', name, '--dry-repo', dry.directory], { environment })
}

test(
  'parts of packages and supply chains get their own versions on a branch and are reproduced with them, and equal results make no commit',
  { skip },
  async () => {
    const { fixture } = mesh
    const { repository, branch, toolsOf } = await hydrated('parts')
    const push = async (changed: Record<string, string>): Promise<void> => {
      const sha = await repository.push(changed, 'Change')
      await fixture.poll()
      for (const name of names) await fixture.waitFor(`parts-${name}`, isHydratedAt(sha))
    }
    assert.deepEqual(await toolsOf('packed'), [`helm ${helmOfCharts}`])
    await push({ 'charts/one/.argocd-source.yaml': 'helm: {version: 4.3.1}\n' })
    assert.deepEqual(await toolsOf('packed'), [`helm ${helmOfCharts}`, 'helm v4.3.1'])
    assert.deepEqual(await toolsOf('supplied'), [`helm ${helmOfCharts}`, 'helm v4.3.1'])
    assert.match(
      await repository.commitField(await repository.head(branch), '%B'),
      RegExp(`^Tool-changed: helm ${helmOfCharts} to ${helmOfCharts} and v4\\.3\\.1 in 2 directories$`, 'm'),
    )
    for (const directory of ['packed', 'supplied']) {
      const { stdout, stderr, code } = await reproduce(`parts-${directory}`, repository)
      assert.match(stdout, /^parts-\w+: manifest\.yaml is reproduced byte for byte from [0-9a-f]{7}\n$/)
      assert.match(stderr, /^INFO\[\d+\] helm 4\.3\.1 renders, named in git; the default here is .*\n$/)
      assert.equal(code, 0)
      const without = await reproduce(`parts-${directory}`, repository, '/nonexistent')
      assert.match(without.stderr, /charts\/one\/\.argocd-source\.yaml:1.*"wadi tools add helm 4\.3\.1/)
      assert.equal(without.code, 20)
    }
    const head = await repository.head(branch)
    await push({ 'wadi.yaml': 'platform: [platform]\ntools: {kustomize: 5.8.3}\n' })
    assert.equal(await repository.head(branch), head)
    assert.deepEqual(await toolsOf('overlay'), [`kustomize ${kustomizeVersion}`])
  },
)

test(
  'a version that is wrong is an error with file and line wherever it stands, and the branch stays',
  { skip },
  async () => {
    const { fixture } = mesh
    const { repository, branch } = await hydrated('wrong')
    const head = await repository.head(branch)
    const places: Record<string, (version: string) => [file: string, text: string, place: RegExp]> = {
      plain: (version) => ['wadi.yaml', `platform: [platform]\ntools:\n  helm: ${version}\n`, /wadi\.yaml:3/],
      overlay: (version) => [
        'overlay/.argocd-source.yaml',
        `\nkustomize: {version: ${version}}\n`,
        /overlay\/\.argocd-source\.yaml:2/,
      ],
      packed: (version) => [
        'charts/two/.argocd-source.yaml',
        `\n\nhelm:\n  version: ${version}\n`,
        /charts\/two\/\.argocd-source\.yaml:4/,
      ],
      supplied: (version) => [
        'platform/chain.yaml',
        chain(`helm: {version: ${version}}`),
        /platform\/chain\.yaml:18/,
      ],
    }
    const wrong = {
      latest: /version/,
      '^4.3.0': /version/,
      '4.3': /version|string/,
      '9.9.9': /9\.9\.9 is not installed; choose one of those that are .*, or ask the operator/,
    }
    for (const [directory, write] of Object.entries(places)) {
      for (const [version, reason] of Object.entries(wrong)) {
        const [file, text, place] = write(version)
        const sha = await repository.push({ [file]: text }, `${file} ${version}`)
        await fixture.poll()
        const { currentOperation } = await fixture.waitFor(
          `wrong-${directory}`,
          (state) => isSettled(state) && state.status.currentOperation?.drySHA === sha,
        )
        assert.equal(currentOperation?.phase, 'Failed')
        assert.match(currentOperation.message, place)
        assert.match(currentOperation.message, reason)
        assert.equal(await repository.head(branch), head)
        await repository.push({ [file]: files[file] ?? '' }, 'Put it back')
      }
    }
  },
)

test(
  'a pull request that changes versions is reviewed as any other, also one of a fork',
  { skip },
  async () => {
    const pinned = await hydrated('reviewed')
    await using forge = await connectForge(mesh, pinned.repository)
    const { open, announce, newest, comments } = forge
    const isJudged = (sha: string) => !['pending', undefined].includes(newest(sha)?.state)
    const pin = { 'wadi.yaml': 'platform: [platform]\ntools: {helm: 4.3.1, kustomize: 5.8.3}\n' }
    const sha = await propose(pinned.repository, 'refs/heads/upgrade', pin)
    const pull = open({ head: 'upgrade' })
    await announce(pull)
    await until(() => isJudged(sha))
    assert.match(newest(sha)?.description ?? '', /^3 of 4 applications change/)
    assert.match(comments(pull)[0] ?? '', /\+ {2}version: v4\.3\.1/)

    for (const [ref, text, judged] of [
      ['refs/pull/2/head', 'tools: {helm: 4.3.1}\n', /\+ {2}version: v4\.3\.1/],
      ['refs/pull/3/head', 'tools: {helm: 4.9.9}\n', /wadi\.yaml:2.*4\.9\.9 is not installed/],
    ] as const) {
      const head = await propose(pinned.repository, ref, { 'wadi.yaml': `platform: [platform]\n${text}` })
      const fork = open({ head: 'main', fork: { repository: 'caller/reviewed', sha: head } })
      await announce(fork)
      await until(() => isJudged(head))
      assert.match(comments(fork)[0] ?? '', judged)
    }
  },
)
