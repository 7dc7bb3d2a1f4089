import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import {
  configMap as pluginConfigMap,
  testPlugin,
  testPlugins,
} from '@wadi/rendering/renderers/plugin/plugins-fixture.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { strictPolicy } from '@wadi/rendering/run/render-fixture.ts'
import { ownKey } from './own-key.ts'
import { configMap, names, repoURL, startBed } from './source-renderer-fixture.ts'

const { signal } = new AbortController()

test('a plain directory, an overlay and a chart are each rendered by what they are', async () => {
  await using bed = await startBed({
    'plain/a.yaml': configMap('plain'),
    'overlay/kustomization.yaml': 'namePrefix: dev-\nresources: [a.yaml]\n',
    'overlay/a.yaml': configMap('overlay'),
    'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'chart/templates/a.yaml': configMap('chart-{{ .Values.size }}'),
    'chart/values.yaml': 'size: small\n',
  })
  const render = async (path: string) => bed.renderer.render(bed.dry(path), false, signal)
  const plain = await render('plain')
  assert.deepEqual([names(plain.manifests), plain.record.commands, plain.record.tools], [['plain'], [], []])
  const overlay = await render('overlay')
  assert.deepEqual(names(overlay.manifests), ['dev-overlay'])
  assert.deepEqual(
    overlay.record.tools.map((tool) => tool.name),
    ['kustomize'],
  )
  const chart = await render('chart')
  assert.deepEqual(names(chart.manifests), ['chart-small'])
  assert.deepEqual(
    chart.record.tools.map(({ name, version }) => [name, version]),
    [['helm', bed.fixture.tools.helm.version]],
  )
  assert.match(chart.record.commands[0] ?? '', /^helm template/)
})

test('an equal fingerprint is taken from the cache, also by another process, with all facts about it', async () => {
  await using workers = new ManifestWorkers({ threads: 1 })
  await using bed = await startBed({ 'app/a.yaml': configMap('one') }, noPlugins, workers)
  const first = await bed.renderer.render(bed.dry('app'), false, signal)
  assert.equal(await bed.cached(), 1)
  // Workers that are closed render nothing more.
  await workers[Symbol.asyncDispose]()
  for (const renderer of [bed.renderer, bed.open()]) {
    assert.deepEqual(await renderer.render(bed.dry('app'), false, signal), { ...first, cached: true })
  }
})

test('a file that the source does not read leaves its fingerprint, one that it reads changes it', async () => {
  await using bed = await startBed({ 'app/a.yaml': configMap('one'), 'other/b.yaml': configMap('b') })
  const inspect = async () => (await bed.renderer.inspect(bed.dry('app'), signal)).fingerprint
  const first = await inspect()
  bed.fixture.write('other/b.yaml', configMap('changed'))
  assert.equal(await inspect(), first)
  bed.fixture.write('app/a.yaml', configMap('two'))
  assert.notEqual(await inspect(), first)
})

/** A kustomization with a generator whose file the inspection does not see. */
function hiddenInput(path: string): Record<string, string> {
  return {
    [`${path}/kustomization.yaml`]: 'generators: [generators]\n',
    [`${path}/generators/kustomization.yaml`]: 'resources: [generator.yaml]\n',
    [`${path}/generators/generator.yaml`]:
      'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: found}\nfiles: [data.txt]\n',
    [`${path}/data.txt`]: `hidden in ${path}`,
  }
}

test('a source that turned out to need the whole repository is inspected with that from then on', async () => {
  await using bed = await startBed(hiddenInput('prod'))
  const inspect = async () => (await bed.renderer.inspect(bed.dry('prod'), signal)).fingerprint
  const narrow = await inspect()
  const rendered = await bed.renderer.render(bed.dry('prod'), false, signal)
  assert.notEqual(rendered.fingerprint, narrow)
  assert.equal(await inspect(), rendered.fingerprint)
  bed.fixture.write('elsewhere.txt', 'counts now')
  assert.notEqual(await inspect(), rendered.fingerprint)
})

test('which sources need the whole repository is forgotten beyond the bound and found again by the next render', async () => {
  await using bed = await startBed({ ...hiddenInput('prod'), ...hiddenInput('dev') })
  const renderer = bed.open(strictPolicy, 1)
  const inspect = async (path: string) => (await renderer.inspect(bed.dry(path), signal)).fingerprint
  const render = async (path: string) => (await renderer.render(bed.dry(path), false, signal)).fingerprint
  const narrow = await inspect('prod')
  const wide = await render('prod')
  assert.notEqual(wide, narrow)
  const other = await render('dev')
  assert.deepEqual([await inspect('prod'), await inspect('dev')], [narrow, other])
  assert.equal(await render('prod'), wide)
})

test('a fresh render is made again and takes the place of a cached one', async () => {
  await using bed = await startBed({ 'app/a.yaml': configMap('one') })
  const first = await bed.renderer.render(bed.dry('app'), false, signal)
  await bed.cache.write(ownKey(bed.dry('app'), first.fingerprint), { ...first, manifests: ['{}'] })
  assert.deepEqual((await bed.renderer.render(bed.dry('app'), false, signal)).manifests, ['{}'])
  for (const fresh of [true, false]) {
    assert.deepEqual(await bed.renderer.render(bed.dry('app'), fresh, signal), { ...first, cached: !fresh })
  }
})

test('a source that fails is not cached and is rendered when it was fixed', async () => {
  await using bed = await startBed({ 'app/a.yaml': 'kind: [\n' })
  await assert.rejects(bed.renderer.render(bed.dry('app'), false, signal), {
    name: 'InvalidInputError',
    message: /app\/a\.yaml|a\.yaml:1/,
  })
  bed.fixture.write('app/a.yaml', configMap('fixed'))
  assert.deepEqual(names((await bed.renderer.render(bed.dry('app'), false, signal)).manifests), ['fixed'])
})

test('options that are not valid JSON, or none that exist, are refused with their place in the Application', async () => {
  await using bed = await startBed({})
  assert.throws(() => bed.dry('app', '{'), {
    name: 'InvalidInputError',
    message: /options_json is not valid JSON/,
  })
  assert.throws(() => bed.dry('app', '{"helm":{"valueFile":["x"]}}'), {
    name: 'InvalidInputError',
    message: /spec\.sourceHydrator\.drySource\.helm.*valueFile/s,
  })
  assert.deepEqual(bed.dry('app').source.options, {})
  assert.equal(bed.dry('app').source, bed.dry('app').source)
})

test('the identity of the renderers differs by version and by what the operator allows', async () => {
  await using bed = await startBed({})
  const { helm, kustomize } = bed.fixture.tools
  const identity = await bed.renderer.identity()
  assert.ok(identity.includes(helm.version))
  assert.ok(identity.includes(kustomize.version))
  assert.notEqual(await bed.open({ ...strictPolicy, allowRemoteBases: true }).identity(), identity)
  await using withPlugin = await startBed({}, testPlugins(testPlugin('trivial', { identity: 'one' })))
  assert.notEqual(await withPlugin.renderer.identity(), identity)
})

test('the warnings of a plugin are reported by inspections too, also after a restart', async () => {
  const generate = async () => ({ manifests: [pluginConfigMap('made')], warnings: ['size is not a number'] })
  const plugin = testPlugin('trivial', { generate })
  await using bed = await startBed({ 'app/a.txt': 'one' }, testPlugins(plugin))
  const options = JSON.stringify({ plugin: { name: 'trivial' } })
  const warningsOf = async (renderer = bed.renderer) =>
    (await renderer.inspect(bed.dry('app', options), signal)).warnings.filter((text) => text.includes('size'))
  assert.deepEqual(await warningsOf(), [])
  const { record } = await bed.renderer.render(bed.dry('app', options), false, signal)
  assert.deepEqual(record.warnings, ['plugin trivial: size is not a number'])
  assert.deepEqual(await warningsOf(), record.warnings)
  assert.deepEqual(await warningsOf(bed.open()), record.warnings)
  // Twice, as it was seen for the first time.
  assert.equal(plugin.generated.length, 2)
})

test('warnings that only the render of a package or a chart gives are reported by inspections too, also after a restart', async () => {
  await using bed = await startBed({
    'package/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: boats}
components: [{name: c, required: true, manifests: [{name: m, namespace: sea, files: [boat.yaml]}]}]
`,
    'package/boat.yaml': 'apiVersion: y.io/v1\nkind: Boat\nmetadata: {name: b}\n',
    'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'chart/templates/a.yaml': configMap('chart'),
    'chart/many.yaml': 'twice: 1\ntwice: 2\n',
  })
  const chartOptions = '{"helm":{"valueFiles":["many.yaml"]}}'
  const reported: [path: string, optionsJson: string, part: string][] = [
    ['package', '', 'taken for kinds that live in namespaces'],
    ['chart', chartOptions, 'what decided the values is not recorded'],
  ]
  for (const [path, optionsJson, part] of reported) {
    const warningsOf = async (renderer = bed.renderer) => {
      const { warnings } = await renderer.inspect(bed.dry(path, optionsJson), signal)
      return warnings.filter((text) => text.includes(part))
    }
    assert.deepEqual(await warningsOf(), [])
    const { record } = await bed.renderer.render(bed.dry(path, optionsJson), false, signal)
    assert.equal(record.warnings.length, 1)
    assert.deepEqual(await warningsOf(), record.warnings)
    assert.deepEqual(await warningsOf(bed.open()), record.warnings)
    assert.deepEqual(await warningsOf(), record.warnings)
  }
})

test('a fresh render without the warnings of an earlier one takes them back, also for the next process', async () => {
  let warnings = ['size is not a number']
  const generate = async () => ({ manifests: [pluginConfigMap('made')], warnings })
  await using bed = await startBed({ 'app/a.txt': 'one' }, testPlugins(testPlugin('trivial', { generate })))
  const app = bed.dry('app', JSON.stringify({ plugin: { name: 'trivial' } }))
  const warningsOf = async (renderer = bed.renderer) =>
    (await renderer.inspect(app, signal)).warnings.filter((text) => text.includes('size'))
  await bed.renderer.render(app, false, signal)
  assert.equal((await warningsOf()).length, 1)
  warnings = []
  await bed.renderer.render(app, true, signal)
  assert.deepEqual(await warningsOf(), [])
  assert.deepEqual(await warningsOf(bed.open()), [])
})

test('warnings that the cache lost come back with the result', async () => {
  const generate = async () => ({ manifests: [pluginConfigMap('made')], warnings: ['size is not a number'] })
  await using bed = await startBed({ 'app/a.txt': 'one' }, testPlugins(testPlugin('trivial', { generate })))
  const app = bed.dry('app', JSON.stringify({ plugin: { name: 'trivial' } }))
  const { fingerprint, record } = await bed.renderer.render(app, false, signal)
  await bed.cache.writeWarnings(ownKey(app, fingerprint), [])
  const next = bed.open()
  await next.render(app, false, signal)
  for (const renderer of [next, bed.open()]) {
    assert.deepEqual((await renderer.inspect(app, signal)).warnings.slice(-1), record.warnings)
  }
})

test('only a plugin that wants the credentials of the repository gets them', async () => {
  const wanting = testPlugin('wanting', { wantsGitCredentials: true })
  const modest = testPlugin('modest')
  await using bed = await startBed({ 'app/a.txt': 'one' }, testPlugins(wanting, modest))
  for (const { name, generated } of [wanting, modest]) {
    await bed.renderer.render(bed.dry('app', JSON.stringify({ plugin: { name } })), false, signal)
    const given = generated[0]?.variables.filter((variable) => variable.name === 'GIT_ASKED')
    assert.deepEqual(given, name === 'wanting' ? [{ name: 'GIT_ASKED', value: `${repoURL} team` }] : [])
  }
})
