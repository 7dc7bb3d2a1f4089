import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type ChartOutput, ChartWorkers } from '@wadi/engines/helm/chart-workers.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { testTools } from '../../run/render-fixture.ts'

const [own = ''] = (await testTools()).helm.command

/** Programs, and the versions that are compiled in. */
const versions = [
  ['4.1.4', own, false],
  ['4.3.1', rendererFiles.helm4, renderersMissing ?? false],
] as const

/** Heads of objects, each of which Helm reads; it takes some of them for hooks. */
const heads = [
  'apiVersion: v1\nkind: Service\nmetadata:\n  name: plain',
  'metadata:\n  name: reversed\nkind: Namespace\napiVersion: v1',
  'apiVersion: v1\nkind: Zebra\nmetadata:\n  name: unknown-kind',
  'apiVersion: v1\nkind: Apple\nmetadata:\n    name: deep\n    labels:\n        hooked: "no"',
  'apiVersion: "v1"\nkind: "Secret"\nmetadata: {name: flow, annotations: {a: b}}',
  'apiVersion: v1\nkind: Yes\nmetadata:\n  name: boolean-kind',
  'apiVersion: v1\nkind: |\n  ConfigMap\nmetadata:\n  name: kind-with-an-end-of-line',
  'apiVersion: v1\nmetadata:\n  name: kind-at-the-end\nkind: |\n  ConfigMap',
  'Kind: Namespace\napiVersion: v1\nmetadata:\n  name: upper-case',
  'apiVersion: v1\nkind: Job # comment\nmetadata:\n  name: 12',
  "apiVersion: v1\nkind: Pod\nmetadata:\n  annotations:\n    text: 'it''s'\n    number: -1\n    nothing: null\n  name: annotated",
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: no-annotations\n  annotations:\n    # none\n  labels: {}',
  'apiVersion: v1\nkind: Job\nmetadata:\n  name: hook\n  annotations:\n    helm.sh/hook: pre-install',
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: test\n  annotations:\n    "helm.sh/hook": test, post-install',
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: escaped\n  annotations:\n    "\\x68elm.sh/hook": test',
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: binary\n  annotations:\n    !!binary aGVsbS5zaC9ob29r: test',
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: question\n  annotations:\n    ? helm.sh/hook\n    : pre-delete',
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: unknown\n  annotations:\n    helm.sh/hook: some-day',
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: upper\n  ANNOTATIONS:\n    helm.sh/hook: test',
  'apiVersion: v1\nkind: List\nitems:\n- kind: Pod\nmetadata:\n  name: list',
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: block\ndata:\n  text: |\n    kind: Inner\n    metadata:\n      annotations: {helm.sh/hook: test}',
  'kind: lonely',
  'other: true',
  '# a comment alone',
  '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"json"}}',
]

/** Each is one separator. */
const separators = ['\n---\n', '\n---', '\n\n--- \n', '\n  \n---\n\n', '\n--- \t\n', '\n\n\n---']

/** After the second of each pair of dashes there is a document that begins with a separator, for Helm. */
const doubled = ['\n---\n---\n', '\n---\n\n---\n']

const cases = versions.flatMap((version) =>
  Object.entries({ separators, doubled }).map(([name, between]) => [...version, name, between] as const),
)

for (const [version, helm, skip, name, between] of cases) {
  test(
    `documents are separated and sorted, and hooks are known, as helm ${version} does, however they are written: ${name}`,
    { skip },
    async () => {
      await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-documents-'))
      const files = chartOf(between)
      await mkdir(path.join(directory.path, 'templates'))
      for (const [file, text] of Object.entries(files)) await writeFile(path.join(directory.path, file), text)
      await using workers = new ChartWorkers(version, { threads: 1 })
      for (const skipTests of [true, false]) {
        const tests = skipTests ? ['--skip-tests'] : []
        const { stdout } = await promisify(execFile)(helm, ['template', 'release', directory.path, ...tests])
        assert.deepEqual(await renderFast(workers, files, skipTests), { manifests: stdout })
        assert.equal(stdout.includes('name: question'), true)
        assert.equal(stdout.includes('name: escaped'), !skipTests)
      }
    },
  )
}

function chartOf(between: readonly string[]): Record<string, string> {
  const all = heads.map((head, index) => head + (between[index % between.length] ?? '')).join('')
  return {
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'templates/all.yaml': `---\n${all}`,
    'templates/_partial.yaml': heads[0] ?? '',
    'templates/crlf.yaml': `${heads.slice(0, 3).join('\n---\n')}\n`.replaceAll('\n', '\r\n'),
    'templates/empty.yaml': '\n---\n \n',
    ...Object.fromEntries(heads.map((head, index) => [`templates/z${index}.yaml`, head])),
  }
}

async function renderFast(
  workers: ChartWorkers,
  files: Readonly<Record<string, string>>,
  skipTests: boolean,
): Promise<ChartOutput> {
  const job = {
    chart: 'web',
    dependencies: [],
    values: [],
    parameters: [],
    texts: {},
    release: 'release',
    namespace: 'default',
    kubeVersion: '',
    apiVersions: [],
    includeCrds: false,
    skipTests,
    skipSchemaValidation: false,
  }
  const encoded = Object.entries(files).map(([name, text]) => ({
    name,
    data: Buffer.from(text).toString('base64'),
  }))
  return await workers.render(job, async () => [{ digest: 'web', files: encoded }])
}
