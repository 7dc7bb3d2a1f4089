import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChartDirectory, ChartJob } from './chart-job.ts'
import { helmEngines } from '@wadi/gotemplate/engine-versions.ts'
import { type ChartOutput, ChartWorkers } from './chart-workers.ts'

const job: Omit<ChartJob, 'chart'> = {
  dependencies: [],
  values: [],
  parameters: [],
  texts: {},
  release: 'web',
  namespace: 'apps',
  kubeVersion: '',
  apiVersions: [],
  includeCrds: true,
  skipTests: false,
  skipSchemaValidation: false,
}

function directory(digest: string, files: Readonly<Record<string, string>>): ChartDirectory {
  const all = {
    'Chart.yaml': `apiVersion: v2\nname: ${digest === 'base' ? 'base' : 'web'}\nversion: 1.0.0\n`,
    ...files,
  }
  const encoded = Object.entries(all).map(([name, text]) => ({
    name,
    data: Buffer.from(text).toString('base64'),
  }))
  return { digest, files: encoded }
}

/** Renders one template as a chart of its own. */
function renderTemplate(
  workers: ChartWorkers,
  name: string,
  text: string,
  signal?: AbortSignal,
): Promise<ChartOutput> {
  const load = async () => [directory(name, { 'templates/all.yaml': text })]
  return workers.render({ ...job, chart: name }, load, { signal })
}

test('a chart is read once for a thread and executed for each render', async () => {
  await using workers = new ChartWorkers('4.1.4', { threads: 1 })
  let reads = 0
  const load = async () => {
    reads += 1
    return [
      directory('base', { 'templates/all.yaml': 'base: {{ .Values.a }}' }),
      directory('web', { 'templates/all.yaml': 'web: {{ .Values.a }}' }),
    ]
  }
  for (const [index, values] of [['a: 1'], ['a: 2'], ['a: 2', 'a: 3']].entries()) {
    const given = { ...job, chart: 'web', dependencies: ['base'], values }
    assert.deepEqual(await workers.render(given, load), {
      manifests: `---\n# Source: web/charts/base/templates/all.yaml\nbase:\n---\n# Source: web/templates/all.yaml\nweb: ${index + 1}\n`,
    })
  }
  assert.equal(reads, 1)
})

test('only directories that the thread does not have are read, and charts that are too large together are left to helm', async () => {
  await using workers = new ChartWorkers('4.1.4', { threads: 1 })
  const reads: string[][] = []
  const loadWith = (fillers: Readonly<Record<string, string>>) => async (digests: readonly string[]) => {
    reads.push([...digests])
    return digests.map((digest) => directory(digest, { 'templates/all.yaml': 'a: b', ...fillers }))
  }
  for (const chart of ['web', 'api', 'web']) {
    await workers.render({ ...job, chart, dependencies: ['base'] }, loadWith({}))
  }
  assert.deepEqual(reads.splice(0), [['web'], ['base'], ['api']])
  const large = { ...job, chart: 'large', dependencies: ['larger'] }
  const filler = 'x'.repeat(4 * 1024 * 1024)
  assert.deepEqual(await workers.render(large, loadWith({ a: filler, b: filler, c: filler, d: filler })), {
    unsupported: 'does not keep charts as large as these',
  })
})

for (const version of helmEngines) {
  test(`functions that read the clock or chance are left to helm ${version}, if they are called`, async () => {
    await using workers = new ChartWorkers(version, { threads: 1 })
    for (const call of ['now', 'genCA "a" 1', 'randAlphaNum 5', 'date "2006" ""', 'uuidv4']) {
      const [name = ''] = call.split(' ')
      assert.deepEqual(await renderTemplate(workers, call, `a: {{ ${call} }}`), {
        unsupported: `does not run the function ${name === 'date' ? 'date' : name}`,
      })
      const unused = await renderTemplate(
        workers,
        `${call} unused`,
        `a: b{{ if false }}{{ ${call} }}{{ end }}`,
      )
      assert.ok('manifests' in unused)
    }
  })
}

test('what templates see of the build of a helm that has several is left to it', async () => {
  await using workers = new ChartWorkers('4.3.1', { threads: 1 })
  const text = (field: string) => `a: {{ .Capabilities.HelmVersion.${field} }}`
  assert.deepEqual(await renderTemplate(workers, 'version', text('Version')), {
    manifests: '---\n# Source: web/templates/all.yaml\na: v4.3.1\n',
  })
  assert.deepEqual(await renderTemplate(workers, 'go', text('GoVersion')), {
    unsupported: 'does not know how helm was built',
  })
})

test('charts with an error are refused', async () => {
  await using workers = new ChartWorkers('4.1.4', { threads: 1 })
  for (const text of [
    '{{ fail "no" }}',
    '{{ nofunction }}',
    'kind: [',
    '{{ include "none" . }}',
    '{{ .Values.a.b.c }}',
  ]) {
    await assert.rejects(renderTemplate(workers, text, text), { name: 'InvalidInputError' })
  }
})

test('hostile charts end at a limit and leave the threads to others', async () => {
  await using workers = new ChartWorkers('4.1.4', { threads: 1, timeoutMilliseconds: 4000 })
  const hostile = [
    '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
    '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
    '{{ define "a" }}{{ tpl "{{ include \\"a\\" . }}" . }}{{ end }}{{ include "a" . }}',
    '{{ range until 2000000000 }}{{ end }}',
    '{{ repeat 2000000000 "x" }}',
    '{{ $x := "x" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ $x }}',
    '{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}',
    `{{ regexMatch "(((a{1,100}){1,100}){1,100})$" "${'a'.repeat(10_000)}" }}`,
    `{{ range until 10000 }}${'y: z\n'.repeat(10_000)}{{ end }}`,
  ]
  for (const text of hostile) {
    await assert.rejects(renderTemplate(workers, text.slice(0, 40), text), (error: Error) =>
      ['InvalidInputError', 'ResourceExhaustedError'].includes(error.name),
    )
  }
  assert.deepEqual(await renderTemplate(workers, 'plain', 'a: {{ .Release.Name }}'), {
    manifests: '---\n# Source: web/templates/all.yaml\na: web\n',
  })
})

for (const version of helmEngines) {
  test(`helm ${version}: schemas that lead out of the chart are refused, and nothing is fetched`, async () => {
    await using workers = new ChartWorkers(version, { threads: 1 })
    for (const reference of ['file:///etc/hostname', 'http://127.0.0.1:1/schema.json', 'other.json']) {
      const load = async () => [
        directory(reference, { 'values.schema.json': JSON.stringify({ $ref: reference }) }),
      ]
      await assert.rejects(workers.render({ ...job, chart: reference }, load), {
        name: 'InvalidInputError',
        message: /the schema refers to/,
      })
    }
  })
}

test('a signal ends a render', async () => {
  await using workers = new ChartWorkers('4.1.4', { threads: 1 })
  const text = '{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}'
  await assert.rejects(renderTemplate(workers, 'long', text, AbortSignal.timeout(500)), {
    name: 'TimeoutError',
  })
})
