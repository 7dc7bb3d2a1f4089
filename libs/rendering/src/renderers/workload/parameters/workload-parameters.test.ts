import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, describeSource, editSource, linesOf } from '../../../run/parameters-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../../run/render-fixture.ts'
import { supplyChainFiles } from '@wadi/testing/supply-chain-files.ts'

const tools = await testTools()
const source = testSource('apps/shop/prod')
const file = 'apps/shop/prod/workload.yaml'

test('parameters of a workload are listed by what its chain lets it set', async () => {
  await using fixture = new RenderFixture(tools, supplyChainFiles)
  const { renderer, parameters } = await describeSource(fixture, source)
  assert.equal(renderer, 'workload')
  assert.deepEqual(linesOf(parameters), [
    `replicas: number = "5" (file ${file}:6) default "2" (file platform/web.yaml:7)`,
    'registry: string default "registry.corp" (file platform/web.yaml:8)',
    `limits: yaml = "cpu: 2" (file ${file}:9) default "cpu: 1\\nmemory: 1Gi" (file platform/web.yaml:9)`,
    'logLevel: string default "info" (file platform/web.yaml:15)',
  ])
  const [replicas, registry] = parameters
  assert.deepEqual([replicas?.group, replicas?.tooltip], ['workload shop', 'Used by: deploy, image.'])
  assert.equal(registry?.fixedBecause, 'supply chain "web" fixes it (platform/web.yaml:8)')
})

test('a parameter is changed in the workload, with comments and all other objects of the file kept', async () => {
  const workload = supplyChainFiles[file]
  const text = `# Settings first.\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n# The shop.\n${workload.replace('value: 5}', 'value: 5} # enough')}`
  await using fixture = new RenderFixture(tools, { ...supplyChainFiles, [file]: text })
  const edited = await editSource(fixture, source, changesOf('replicas=7', 'shop:logLevel=debug', 'limits-'))
  assert.deepEqual([edited.path, edited.others], [file, []])
  assert.equal(
    edited.after,
    text
      .replace('value: 5} # enough', 'value: 7} # enough')
      .replace(
        '    - name: limits\n      value:\n        cpu: 2\n',
        '    - name: logLevel\n      value: debug\n',
      ),
  )
})

test('of several workloads each parameter is named with its workload', async () => {
  const second = supplyChainFiles[file].replace('name: shop', 'name: cart')
  const cart = 'apps/shop/prod/cart.yaml'
  await using fixture = new RenderFixture(tools, { ...supplyChainFiles, [cart]: second })
  const { parameters } = await describeSource(fixture, source)
  assert.deepEqual(
    parameters.map(({ name }) => name).filter((name) => name?.endsWith('replicas')),
    ['cart:replicas', 'shop:replicas'],
  )
  const edited = await editSource(fixture, source, changesOf('cart:replicas=8', 'shop:replicas-'))
  assert.deepEqual([edited.path, edited.others.map(({ path }) => path)], [cart, [file]])
  assert.match(edited.after, /name: replicas, value: 8/)
  await assert.rejects(editSource(fixture, source, changesOf('size=8')), /name the workload, as in cart:size/)
})

test('what the chain decides or does not list cannot be set', async () => {
  await using fixture = new RenderFixture(tools, supplyChainFiles)
  for (const [change, message] of [
    ['registry=evil', /registry cannot be set: supply chain "web" fixes it/],
    ['size=8', /supply chain "web" does not list size, so only its operators can set it/],
    ['limits={', /limits/],
  ] as const)
    await assert.rejects(editSource(fixture, source, changesOf(change)), { message })
})
