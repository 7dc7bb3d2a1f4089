import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { inspectSource } from '../../inspection/inspect-source.ts'
import type { Plugins } from '../../renderers/plugin/plugins.ts'
import { configMap, testPlugin, testPlugins } from '../../renderers/plugin/plugins-fixture.ts'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../render-fixture.ts'
import { renderSource } from '../render-source.ts'
import type { Rendered } from '../render-run.ts'
import { RepeatScans } from './repeat-scan.ts'
import { judgeRepeat, refuseDifference, repeatWarnings } from './repeat-verdict.ts'
import type { SourceOptions } from '../../source/source.ts'

const tools = await testTools()

interface Judged {
  readonly files: Record<string, string>
  readonly options?: SourceOptions
  readonly plugins?: Plugins
  readonly policy?: typeof strictPolicy
  /** Takes the place of the second render. */
  readonly again?: () => Promise<Rendered>
}

async function judge({ files, options = {}, plugins, policy = strictPolicy, again }: Judged) {
  await using fixture = new RenderFixture(tools, files, plugins)
  const source = testSource('app', options)
  const tree = openDirectoryTree(fixture.directory)
  const inspection = await inspectSource(tree, source, testRevision, fixture.tools, policy)
  const context = { ...fixture.context(source), policy }
  let renders = 0
  const render = async (from: FileTree) => {
    renders += 1
    return renderSource(from, inspection, context)
  }
  const first = await render(tree)
  const judged = { tree, inspection, scans: new RepeatScans(), signal: undefined }
  const verdict = await judgeRepeat(judged, first, again ?? render)
  return { verdict, renders, inspection, first }
}

const chart = (template: string, values = '{}\n'): Record<string, string> => ({
  'app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
  'app/values.yaml': values,
  'app/templates/a.yaml': template,
})

const data = (value: string): string =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\n  namespace: prod\nstringData:\n  password: ${value}\n`

for (const [call, name] of [
  ['randAlphaNum 16', 'randAlphaNum'],
  ['randInt 0 1000000000', 'randInt'],
  ['uuidv4', 'uuidv4'],
  ['htpasswd "user" "password"', 'htpasswd'],
  ['bcrypt "password"', 'bcrypt'],
  ['genPrivateKey "ed25519" | b64enc', 'genPrivateKey'],
  ['(genSignedCert "web" nil (list "web") 365 (genCA "ca" 365)).Cert | b64enc', 'genSignedCert'],
  ['now | unixEpoch | quote', 'now'],
  ['now | date "2006-01-02"', 'now'],
  ['now.Year | quote', 'now'],
  ['list "a" (now | date "2006") | join "-"', 'now'],
  ['toDate "2006-01-02" "2024-01-01" | ago', 'ago'],
] as const) {
  test(`a chart whose result depends on ${call} is found, with the field and the call`, async () => {
    const { verdict } = await judge({ files: chart(data(`{{ ${call} }}`)) })
    assert.match(verdict?.difference ?? '', /^renders differ in Secret prod\/web: stringData\.password/)
    assert.ok(verdict?.difference.includes(`${name} in app/templates/a.yaml:7`))
    assert.equal(verdict?.suspicion, '')
    assert.deepEqual(repeatWarnings(verdict), [verdict?.difference ?? ''])
  })
}

test('a chart that calls nothing of the kind is rendered once', async () => {
  const { verdict, renders } = await judge({ files: chart(data('{{ "x" | sha256sum }}')) })
  assert.deepEqual([verdict, renders], [undefined, 1])
})

test('a call whose result the values of git replace is repeatable', async () => {
  const template = data(
    '{{ .Values.password | default (randAlphaNum 16) }}{{ if .Values.dated }}{{ now }}{{ end }}',
  )
  const { verdict, renders } = await judge({ files: chart(template, 'password: chosen\n') })
  assert.deepEqual([verdict, renders], [{ difference: '', suspicion: '' }, 2])
})

test('a date in a value that is a template is rendered twice, and reported when it does not show', async () => {
  const files = chart(data('{{ tpl .Values.made . | quote }}'), 'made: \'{{ now | date "2006-01-02" }}\'\n')
  const { verdict } = await judge({ files })
  assert.equal(verdict?.difference, '')
  assert.match(verdict?.suspicion ?? '', /may change from day to day: now in app\/values\.yaml:1; /)
  assert.deepEqual(repeatWarnings(verdict), [verdict?.suspicion])
})

test('a random value of the options is found', async () => {
  const helm = { valuesObject: { made: '{{ randAlphaNum 16 }}' } }
  const { verdict } = await judge({ files: chart(data('{{ tpl .Values.made . }}')), options: { helm } })
  assert.match(
    verdict?.difference ?? '',
    /^renders differ in Secret prod\/web: stringData\.password .*randAlphaNum in a value/,
  )
})

test('a dependency in the same repository is looked into', async () => {
  const { verdict } = await judge({
    files: {
      'app/Chart.yaml':
        'apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies:\n  - {name: base, version: 1.0.0, repository: "file://../base"}\n',
      'base/Chart.yaml': 'apiVersion: v2\nname: base\nversion: 1.0.0\n',
      'base/templates/a.yaml': data('{{ now | date "2006" | quote }}'),
    },
  })
  assert.match(verdict?.difference ?? '', /stringData\.password .*now in base\/templates\/a\.yaml:7/)
})

test('the charts of a package are looked into', async () => {
  const { verdict } = await judge({
    files: {
      'app/zarf.yaml':
        'kind: ZarfPackageConfig\nmetadata: {name: p}\ncomponents:\n  - name: web\n    required: true\n' +
        '    charts: [{name: web, namespace: prod, version: 1.0.0, localPath: chart}]\n',
      'app/chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'app/chart/templates/a.yaml': data('{{ now | date "2006" | quote }}'),
    },
  })
  assert.match(
    verdict?.difference ?? '',
    /^renders differ in Secret prod\/web: stringData\.password .*now in app\/chart\/templates\/a\.yaml:7/,
  )
})

test('a chart that refuses the other time is rendered with its own', async () => {
  const files = chart(data('{{ if lt (now.Year) 2020 }}{{ fail "too early" }}{{ end }}{{ randAlphaNum 9 }}'))
  const { verdict, renders } = await judge({ files })
  assert.match(verdict?.difference ?? '', /^renders differ in Secret prod\/web: stringData\.password/)
  assert.equal(renders, 3)
})

test('plain directories and kustomizations are rendered once, unless there are charts in them', async () => {
  const plain = { 'app/a.yaml': data('x') }
  assert.equal((await judge({ files: plain })).renders, 1)
  const overlay = { ...plain, 'app/kustomization.yaml': 'resources: [a.yaml]\n' }
  assert.equal((await judge({ files: overlay })).renders, 1)
  const policy = { ...strictPolicy, kustomizeBuildOptions: ['--enable-helm'] }
  assert.equal((await judge({ files: overlay, policy })).renders, 1)
  const charts = {
    ...overlay,
    'app/kustomization.yaml': 'resources: [a.yaml]\nhelmCharts: [{name: c, releaseName: r}]\n',
    'app/charts/c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'app/charts/c/values.yaml': '{}\n',
    'app/charts/c/templates/b.yaml': data('x').replace('name: web', 'name: other'),
  }
  assert.equal((await judge({ files: charts, policy })).renders, 2)
})

test('a plugin is rendered twice; what it prints differently is named, its values are not', async () => {
  let calls = 0
  const generate = async () => ({
    manifests: [configMap('made', { size: `value-${(calls += 1)}`, same: 'x' })],
  })
  const plugins = testPlugins(testPlugin('counting', { generate }))
  const options = { plugin: { name: 'counting' } }
  const { verdict } = await judge({ files: { 'app/a.txt': '' }, options, plugins })
  assert.equal(
    verdict?.difference,
    'renders differ in ConfigMap made: data.size; make plugin counting print the same for the same commit',
  )
  const steady = testPlugin('steady')
  const judged = await judge({
    files: { 'app/a.txt': '' },
    options: { plugin: { name: 'steady' } },
    plugins: testPlugins(steady),
  })
  assert.deepEqual([judged.verdict, steady.generated.length], [{ difference: '', suspicion: '' }, 2])
})

test('a plugin that renders a part of a workload is run twice too', async () => {
  let calls = 0
  const generate = async () => ({ manifests: [configMap('made', { size: String((calls += 1)) })] })
  const { verdict, inspection } = await judge({
    files: {
      'wadi.yaml': 'platform: [platform]\n',
      'app/workload.yaml':
        'apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: w, labels: {type: web}}\nspec: {}\n',
      'platform/chain.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {type: web}
  resources: [{name: deploy, templateRef: {kind: ClusterTemplate, name: t}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: t}
spec:
  template: {apiVersion: wadi.dev/v1alpha1, kind: Render, metadata: {name: r}, spec: {path: made, plugin: {name: counting}}}
`,
      'made/a.txt': '',
    },
    plugins: testPlugins(
      testPlugin('counting', { generate, discovery: { by: 'fileName', pattern: 'a.txt' } }),
    ),
  })
  assert.deepEqual([inspection.renderer, inspection.hasPlugins, calls], ['workload', true, 2])
  assert.match(verdict?.difference ?? '', /^renders differ in ConfigMap made: data\.size/)
})

test('a plugin that prints the second of its run is found', async () => {
  const generate = async () => ({
    manifests: [configMap('made', { at: String(Math.floor(Date.now() / 1000)) })],
  })
  const plugins = testPlugins(testPlugin('clock', { generate }))
  const { verdict } = await judge({
    files: { 'app/a.txt': '' },
    options: { plugin: { name: 'clock' } },
    plugins,
  })
  assert.match(verdict?.difference ?? '', /^renders differ in ConfigMap made: data\.at/)
})

test('a strict repository has everything rendered twice that a tool renders, and a difference refused', async () => {
  const settings = { 'wadi.yaml': 'determinism: strict\n' }
  const steady = await judge({ files: { ...chart(data('x')), ...settings } })
  assert.deepEqual([steady.renders, steady.inspection.isStrict], [2, true])
  refuseDifference(steady.inspection, steady.verdict)
  const plain = await judge({ files: { 'app/a.yaml': data('x'), ...settings } })
  assert.equal(plain.renders, 1)
  const random = await judge({ files: { ...chart(data('{{ uuidv4 }}')), ...settings } })
  assert.throws(() => refuseDifference(random.inspection, random.verdict), {
    name: 'InvalidInputError',
    message:
      /^renders differ in Secret prod\/web: stringData\.password .* determinism is strict in wadi\.yaml$/,
  })
  const lax = await judge({ files: chart(data('{{ uuidv4 }}')) })
  refuseDifference(lax.inspection, lax.verdict)
})

test('strictness is in fingerprints only where it is set and a tool renders', async () => {
  const fingerprint = async (files: Record<string, string>) => {
    const { inspection } = await judge({ files })
    return [inspection.fingerprint, inspection.repeatKey]
  }
  const strict = { 'wadi.yaml': 'determinism: strict\n' }
  const once = { 'wadi.yaml': 'determinism: once\n' }
  const [lax = '', key = ''] = await fingerprint(chart(data('x')))
  assert.deepEqual(await fingerprint({ ...chart(data('x')), ...once }), [lax, key])
  const [after, sameKey] = await fingerprint({ ...chart(data('x')), ...strict })
  assert.deepEqual([after === lax, sameKey === key], [false, true])
  const plain = { 'app/a.yaml': data('x') }
  assert.deepEqual(await fingerprint({ ...plain, ...strict }), await fingerprint(plain))
})

test('the values of build variables change the fingerprint, but not the key of the verdict', async () => {
  await using fixture = new RenderFixture(tools, chart(data('{{ .Values.tag }}')))
  const helm = { parameters: [{ name: 'tag', value: '$ARGOCD_APP_REVISION' }] }
  const inspect = async (revision: string) =>
    inspectSource(
      openDirectoryTree(fixture.directory),
      testSource('app', { helm }),
      revision,
      fixture.tools,
      strictPolicy,
    )
  const [one, two] = [await inspect(testRevision), await inspect(testRevision.replace('0', 'f'))]
  assert.notEqual(one.fingerprint, two.fingerprint)
  assert.equal(one.repeatKey, two.repeatKey)
})

test('a second render that fails is a difference; one that could not be made is not a verdict', async () => {
  const files = chart(data('{{ uuidv4 }}'))
  const failing = async () => {
    throw new InvalidInputError('no such luck')
  }
  const { verdict } = await judge({ files, again: failing })
  assert.match(verdict?.difference ?? '', /^a second render fails: no such luck \(uuidv4 in app/)
  const absent = async () => {
    throw new UnavailableError('gone')
  }
  assert.equal((await judge({ files, again: absent })).verdict, undefined)
  const strict = { ...files, 'wadi.yaml': 'determinism: strict\n' }
  await assert.rejects(judge({ files: strict, again: absent }), UnavailableError)
})
