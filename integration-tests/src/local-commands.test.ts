import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { isSettled } from './gateway-fixture.ts'
import { configMapText, renderSettings, sourceFiles, sourceDirectories } from './local-rendering-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

/** Sources whose options are in git, beside those that have none. */
const files = {
  ...sourceFiles,
  'options/kustomization.yaml': 'resources: [a.yaml]\n',
  'options/a.yaml': configMapText,
  'options/.argocd-source.yaml': 'kustomize: {namePrefix: p-, commonLabels: {team: web}}\n',
  'options/.argocd-source-options.yaml': 'kustomize: {nameSuffix: -s}\n',
  'values/Chart.yaml': 'apiVersion: v2\nname: values\nversion: 0.1.0\n',
  'values/values.yaml': 'name: made\nb: null\n',
  'values/more/b.yaml': 'name: more\n',
  'values/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Values.name }}", namespace: {{ .Release.Namespace }}}\n',
  'values/.argocd-source.yaml': 'helm: {valueFiles: ["**/b.yaml"], parameters: [{name: c, value: "1"}]}\n',
  'unknown/.argocd-source.yaml': 'helm: {valueFiles: [nowhere.yaml]}\n',
  'unknown/Chart.yaml': 'apiVersion: v2\nname: unknown\nversion: 0.1.0\n',
  'jsonnet/a.jsonnet': 'function(name) {apiVersion: "v1", kind: "ConfigMap", metadata: {name: name}}\n',
  'jsonnet/.argocd-source.yaml': 'directory: {jsonnet: {tlas: [{name: name, value: made}]}}\n',
}
const directories = [
  ...sourceDirectories,
  ...new Set(Object.keys(files).map((file) => file.split('/')[0] ?? '')).difference(
    new Set(sourceDirectories),
  ),
]

let owned: AsyncDisposableStack
let mesh: MeshFixture
let repository: RepositoryFixture
let failures: ReadonlyMap<string, string>
before(async () => {
  owned = new AsyncDisposableStack()
  mesh = owned.use(await startMeshFixture({ environment: renderSettings }))
  const { fixture } = mesh
  repository = await fixture.createRepository('local-commands', files)
  await repository.dry.git.raw(['remote', 'add', 'origin', repository.url])
  const found = new Map<string, string>()
  for (const name of directories) {
    await fixture.apply({ name, namespace: 'shop', repoURL: repository.url, branch: `environments/${name}` })
  }
  for (const name of directories) {
    const { currentOperation } = await fixture.waitFor(name, isSettled)
    const message = currentOperation?.message?.replace(/^Failed to hydrate: /, '') ?? ''
    if (currentOperation?.phase === 'Failed') found.set(name, message)
  }
  failures = found
})
after(async () => {
  await owned.disposeAsync()
})

/** Runs the command line in the checkout, with the settings of the server. */
async function run(args: readonly string[], settings: Record<string, string> = {}) {
  const server = { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token }
  const environment = { ...renderSettings, ...server, ...settings, XDG_CACHE_HOME: cacheHome }
  return runWadi([...args], { directory: repository.dry.directory, environment })
}

/** The words of an error, without the level and the code of the call. */
const words = (stderr: string) =>
  stderr.replaceAll(/^(?:FATA|WARN)\[\d+\] /gm, '').replaceAll(/rpc error: code = \w+ desc = /g, '')

for (const name of directories) {
  const local = ['explain', name, '--app', name, '--namespace', 'shop']
  test(`a local explanation is that of the server: ${name}`, async () => {
    for (const format of ['text', 'json']) {
      const here = await run([...local, '-o', format])
      const there = await run(['app', 'explain', name, '-o', format])
      assert.deepEqual(
        [here.stdout, words(here.stderr), here.code],
        [there.stdout, words(there.stderr), there.code],
      )
    }
  })

  test(`parameters are refused where a local explanation is, and have its values: ${name}`, async () => {
    const here = await run([...local, '-o', 'json'])
    const there = await run(['app', 'params', name, '-o', 'json'])
    assert.equal(there.code, here.code, there.stderr)
    if (here.code !== 0) {
      assert.equal(words(there.stderr), words(here.stderr))
      assert.match(failures.get(name) ?? '', new RegExp(RegExp.escape(words(here.stderr).trim())))
    }
  })

  test(`what a server hydrated is reproduced with its settings, and with no others: ${name}`, async () => {
    const reproduce = ['reproduce', name, '--dry-repo', '.']
    const same = await run(reproduce)
    if (failures.has(name)) {
      assert.match(same.stderr, /branch environments\/\S+ does not exist yet/)
      return
    }
    assert.deepEqual([same.stderr, same.code], ['', 0])
    assert.match(same.stdout, /is reproduced byte for byte/)
    const smaller = { WADI_MAX_MANIFEST_SIZE: '10B' }
    const refused = await run(reproduce, smaller)
    const rendered = await run(['render', name, '--app', name, '--namespace', 'shop'], smaller)
    assert.equal(refused.code, 20)
    assert.equal(words(refused.stderr), words(rendered.stderr))
  })
}

test('a local comparison is that of the server, with the same tools and refusals', async () => {
  const { dry } = repository
  await dry.git.raw(['checkout', '--quiet', '-b', 'feature'])
  // A broken one that stays as it is, one that breaks, and the others with another name of their object.
  const changed = Object.entries(files).filter(([file]) => !file.startsWith('remote-chart'))
  const changes = changed.map(([file, text]) => [file, text.replaceAll('name: made', 'name: other')])
  await repository.pointRef(
    'refs/heads/feature',
    await dry.commitFiles(
      { ...Object.fromEntries(changes), 'plain/b.yaml': `${configMapText}data: [\n` },
      'Change all',
    ),
  )
  const compared = ({ stdout }: { stdout: string }) =>
    JSON.parse(stdout) as { applications: unknown; summary: Record<string, unknown> }
  for (const base of [['--base', 'main'], []]) {
    const there = await run(['diff', '--revision', 'feature', ...base, '-o', 'json'])
    const here = await run(['diff', '--local', ...base, '-o', 'json'])
    assert.deepEqual([here.stderr, here.code], [there.stderr, there.code])
    assert.deepEqual(compared(here).applications, compared(there).applications)
    // The compared sides have other names.
    const counts = (report: { stdout: string }) => ({
      ...compared(report).summary,
      revisionSHA: '',
      target: '',
    })
    assert.deepEqual(counts(here), counts(there))
  }
})
