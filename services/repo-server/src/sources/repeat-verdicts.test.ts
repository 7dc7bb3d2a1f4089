import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManifestWorkers } from '@wadi/rendering/run/manifests/manifest-workers.ts'
import {
  configMap as pluginConfigMap,
  testPlugin,
  testPlugins,
} from '@wadi/rendering/renderers/plugin/plugins-fixture.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { inOwnName } from './own-key.ts'
import { configMap, names, startBed } from './source-renderer-fixture.ts'

const { signal } = new AbortController()

const randomChart = (values = '{}\n') => ({
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml': values,
  'chart/templates/a.yaml': `${configMap('made')}data:\n  password: {{ .Values.password | default (randAlphaNum 12) }}\n`,
})
const passwordDiffers = /^renders differ in ConfigMap made: data\.password \(randAlphaNum in chart/

test('a chart with random values is reported, by every later inspection too, also after a restart', async () => {
  await using bed = await startBed(randomChart())
  const inspected = async (renderer = bed.renderer) =>
    (await renderer.inspect(bed.dry('chart'), signal)).warnings.filter((text) => text.includes('differ'))
  assert.deepEqual(await inspected(), [])
  const rendered = async (renderer = bed.renderer) =>
    (await renderer.render(bed.dry('chart'), false, signal)).record.warnings
  const warnings = await rendered()
  assert.match(warnings.join('\n'), passwordDiffers)
  assert.deepEqual(await inspected(), warnings)
  assert.deepEqual(await inspected(bed.open()), warnings)
  for (const renderer of [bed.renderer, bed.open()]) assert.deepEqual(await rendered(renderer), warnings)
  bed.fixture.write('chart/values.yaml', 'password: chosen\n')
  assert.deepEqual(await rendered(), [])
  assert.deepEqual(await inspected(), [])
})

test('a plugin is run twice when it is first seen for a source with these options, and once from then on', async () => {
  const plugin = testPlugin('counting')
  await using bed = await startBed({ 'app/a.txt': 'one', 'other/a.txt': 'one' }, testPlugins(plugin))
  const options = (size: number) =>
    JSON.stringify({ plugin: { name: 'counting', env: [{ name: 'SIZE', value: String(size) }] } })
  const runs = async (path: string, size: number, renderer = bed.renderer) => {
    const before = plugin.generated.length
    await renderer.render(bed.dry(path, options(size)), false, signal)
    return plugin.generated.length - before
  }
  assert.equal(await runs('app', 1), 2)
  assert.equal(await runs('app', 1), 0)
  bed.fixture.write('app/a.txt', 'two')
  assert.equal(await runs('app', 1), 1)
  bed.fixture.write('app/a.txt', 'three')
  assert.equal(await runs('app', 1, bed.open()), 1)
  assert.equal(await runs('app', 2), 2)
  assert.equal(await runs('other', 1), 2)
})

test('a plugin that prints random values is reported, and judged again whenever it runs, until it was fixed', async () => {
  let count = 0
  let isFixed = false
  const generate = async () => {
    count += 1
    return { manifests: [pluginConfigMap('made', { value: isFixed ? 'fixed' : String(count) })] }
  }
  await using bed = await startBed({ 'app/a.txt': 'one' }, testPlugins(testPlugin('random', { generate })))
  const options = JSON.stringify({ plugin: { name: 'random' } })
  const render = async () =>
    (await bed.renderer.render(bed.dry('app', options), false, signal)).record.warnings
  const reported = /^renders differ in ConfigMap made: data\.value; make plugin random print/m
  assert.match((await render()).join('\n'), reported)
  assert.match((await render()).join('\n'), reported)
  assert.equal(count, 2)
  bed.fixture.write('app/a.txt', 'two')
  assert.match((await render()).join('\n'), reported)
  assert.match((await bed.open().inspect(bed.dry('app', options), signal)).warnings.join('\n'), reported)
  assert.equal(count, 4)
  isFixed = true
  for (const text of ['three', 'four']) {
    bed.fixture.write('app/a.txt', text)
    assert.deepEqual(await render(), [])
  }
  assert.equal(count, 7)
})

test('a fresh render judges again', async () => {
  const plugin = testPlugin('steady')
  await using bed = await startBed({ 'app/a.txt': 'one' }, testPlugins(plugin))
  const options = JSON.stringify({ plugin: { name: 'steady' } })
  for (const fresh of [false, true, false]) {
    await bed.renderer.render(bed.dry('app', options), fresh, signal)
  }
  assert.equal(plugin.generated.length, 4)
})

test('where the repository is strict, a difference is an error each time, and what is repeatable renders', async () => {
  const steady = testPlugin('steady')
  await using bed = await startBed(
    { ...randomChart(), 'wadi.yaml': 'determinism: strict\n', 'app/a.txt': 'one' },
    testPlugins(steady),
  )
  const refused = {
    name: 'InvalidInputError',
    message: /^renders differ in ConfigMap made: data\.password .* determinism is strict in wadi\.yaml$/,
  }
  for (const renderer of [bed.renderer, bed.renderer, bed.open()]) {
    await assert.rejects(renderer.render(bed.dry('chart'), false, signal), refused)
  }
  assert.equal(await bed.cached(), 1)
  bed.fixture.write('chart/values.yaml', 'password: chosen\n')
  assert.deepEqual(names((await bed.renderer.render(bed.dry('chart'), false, signal)).manifests), ['made'])
  const options = JSON.stringify({ plugin: { name: 'steady' } })
  for (const text of ['two', 'three']) {
    bed.fixture.write('app/a.txt', text)
    await bed.renderer.render(bed.dry('app', options), false, signal)
  }
  assert.equal(steady.generated.length, 4)
})

test('a plugin whose files were fixed is no longer refused where the repository is strict', async () => {
  let count = 0
  let isFixed = false
  const generate = async () => {
    count += 1
    return { manifests: [pluginConfigMap('made', { value: isFixed ? 'fixed' : String(count) })] }
  }
  const files = { 'app/a.txt': 'one', 'wadi.yaml': 'determinism: strict\n' }
  await using bed = await startBed(files, testPlugins(testPlugin('random', { generate })))
  const render = async () =>
    bed.renderer.render(bed.dry('app', JSON.stringify({ plugin: { name: 'random' } })), false, signal)
  for (const text of ['two', 'three']) {
    bed.fixture.write('app/a.txt', text)
    await assert.rejects(render(), {
      name: 'InvalidInputError',
      message: /renders differ in ConfigMap made: data\.value;/,
    })
  }
  isFixed = true
  assert.deepEqual(names((await render()).manifests), ['made'])
})

test('a difference that is known is an error as soon as the repository becomes strict', async () => {
  await using workers = new ManifestWorkers({ threads: 1 })
  await using bed = await startBed(randomChart(), noPlugins, workers)
  await bed.renderer.render(bed.dry('chart'), false, signal)
  // Workers that are closed render nothing more.
  await workers[Symbol.asyncDispose]()
  bed.fixture.write('wadi.yaml', 'determinism: strict\n')
  await assert.rejects(bed.renderer.render(bed.dry('chart'), false, signal), {
    message: /determinism is strict/,
  })
})

test('a verdict that was stored without the fields that differ gets them with the next render, once', async () => {
  await using bed = await startBed(randomChart())
  const rendered = async () => (await bed.open().render(bed.dry('chart'), false, signal)).record.random
  const [found] = await rendered()
  assert.match(found?.difference ?? '', passwordDiffers)
  const [object] = found?.objects ?? []
  assert.deepEqual(
    [object?.kind, object?.name, object?.fields[0]?.path],
    ['ConfigMap', 'made', ['data', 'password']],
  )
  const { inspection } = await bed.renderer.inspect(bed.dry('chart'), signal)
  const { repeatKey } = inOwnName(bed.dry('chart'), inspection)
  const { difference = '' } = (await bed.cache.readVerdict(repeatKey)) ?? {}
  await bed.cache.writeVerdict(repeatKey, { difference, suspicion: '' })
  assert.deepEqual(await rendered(), [found])
  assert.deepEqual((await bed.cache.readVerdict(repeatKey))?.random?.length, 1)
  bed.fixture.write('chart/values.yaml', 'password: chosen\n')
  assert.deepEqual(await rendered(), [])
})
