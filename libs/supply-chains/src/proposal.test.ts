import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partAt } from '@wadi/params/values/located.ts'
import { rejection, stampFiles } from './chain-fixture.ts'

interface Situation {
  /** Parameters of the chain as a whole. */
  chain?: string
  /** Parameters of the resource `images`. */
  images?: string
  /** Parameters of the resource `tests`. */
  tests?: string
  /** The parameter's value in the template. */
  template?: string
  workload?: string
  /** The tag that the parameter is stamped for. */
  tag?: string
}

const files = ({
  chain = '',
  images = '',
  tests = '',
  template = '{name: color, default: plain}',
  workload = '',
  tag = '$(params.color)$',
}: Situation) => ({
  'platform/chain.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {type: web}
  params: [${chain}]
  resources:
    - name: images
      templateRef: {kind: ClusterTemplate, name: t}
      params: [${images}]
    - name: tests
      templateRef: {kind: ClusterTemplate, name: t}
      params: [${tests}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: t}
spec:
  params: [${template}]
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: stamped}
    data:
      value: ${tag}
`,
  'apps/shop/workload.yaml': `apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: shop, namespace: web, labels: {type: web}}
spec: {params: [${workload}]}
`,
})

/** Returns what is stamped for the resources `images` and `tests`. */
async function stamped(situation: Situation): Promise<unknown[]> {
  const { objects } = await stampFiles(files(situation))
  return objects.map(({ located }) => partAt(located, ['data', 'value'])?.value)
}

async function warningsOf(situation: Situation): Promise<readonly string[]> {
  return (await stampFiles(files(situation))).warnings
}

const mine = '{name: color, value: mine}'

test('template, chain and workload name one parameter by the same plain name', async () => {
  const named = { images: '{name: color, default: great}', workload: mine }
  assert.deepEqual(await stamped(named), ['mine', 'plain'])
})

test("the proposal's own query for a parameter finds it, and so does its name", async () => {
  const images = '{name: color, default: great}'
  const query = `'$(params[?(@.name=="color")].value)$'`
  assert.deepEqual(await stamped({ images, tag: query }), ['great', 'plain'])
  assert.deepEqual(await stamped({ images, tag: query, workload: mine }), ['mine', 'plain'])
  assert.deepEqual(await stamped({ images }), ['great', 'plain'])
})

test('what a chain writes is a value and no template', async () => {
  const tag = '$(workload.spec.params[?(@.name=="color")].value)$'
  assert.deepEqual(await stamped({ chain: `{name: color, value: '${tag}'}`, workload: mine }), [tag, tag])
})

test('case 1: an entry without value and default leaves the template its default, whatever the workload says', async () => {
  assert.deepEqual(await stamped({ chain: '{name: color}', workload: mine }), ['plain', 'plain'])
  assert.deepEqual(
    await stamped({ chain: '{name: color}', workload: mine }),
    await stamped({ chain: '{name: color}' }),
  )
  assert.deepEqual(await warningsOf({ chain: '{name: color}', workload: mine }), [
    'workload param "color" ignored: supply chain "web" pins it to the template\'s default (platform/chain.yaml:6)',
  ])
})

test('case 2: a value wins over the template and the workload', async () => {
  assert.deepEqual(await stamped({ chain: '{name: color, value: blue}' }), ['blue', 'blue'])
  assert.deepEqual(await stamped({ chain: '{name: color, value: blue}', workload: mine }), ['blue', 'blue'])
  assert.deepEqual(await warningsOf({ chain: '{name: color, value: blue}', workload: mine }), [
    'workload param "color" ignored: supply chain "web" fixes it (platform/chain.yaml:6)',
  ])
})

test('case 3: a default wins over the template, and the workload over both', async () => {
  assert.deepEqual(await stamped({ chain: '{name: color, default: blue}' }), ['blue', 'blue'])
  assert.deepEqual(await stamped({ chain: '{name: color, default: blue}', workload: mine }), ['mine', 'mine'])
  assert.deepEqual(await warningsOf({ chain: '{name: color, default: blue}', workload: mine }), [])
})

test('value and default exclude each other, for the chain and for a resource', async () => {
  const both = '{name: color, value: blue, default: red}'
  assert.deepEqual(await rejection(files({ chain: both })), [
    'platform/chain.yaml:6: error validating clustersupplychain [web]: param [color] is invalid: must set exactly one of value and default',
  ])
  assert.deepEqual(await rejection(files({ tests: both })), [
    'platform/chain.yaml:13: error validating clustersupplychain [web]: resource [tests] is invalid: param [color] is invalid: must set exactly one of value and default',
  ])
})

test("a chain's parameter reaches every resource, and an entry of a resource takes its place there", async () => {
  const chain = '{name: color, value: blue}'
  assert.deepEqual(await stamped({ chain }), ['blue', 'blue'])
  assert.deepEqual(await stamped({ chain, tests: '{name: color, value: red}', workload: mine }), [
    'blue',
    'red',
  ])
})

test('an entry of a resource replaces the choice between value and default too', async () => {
  const opened = { chain: '{name: color, value: blue}', tests: '{name: color, default: red}' }
  assert.deepEqual(await stamped(opened), ['blue', 'red'])
  assert.deepEqual(await stamped({ ...opened, workload: mine }), ['blue', 'mine'])
  const closed = { chain: '{name: color, default: blue}', tests: '{name: color, value: red}', workload: mine }
  assert.deepEqual(await stamped(closed), ['mine', 'red'])
  const pinned = { chain: '{name: color, value: blue}', tests: '{name: color}', workload: mine }
  assert.deepEqual(await stamped(pinned), ['blue', 'plain'])
})

test('a workload sets in vain what the chain does not list, and is reported so', async () => {
  assert.deepEqual(await stamped({ workload: mine }), ['plain', 'plain'])
  assert.deepEqual(await warningsOf({ workload: mine }), [
    'workload param "color" ignored: supply chain "web" does not list it (apps/shop/workload.yaml:4)',
  ])
})

const disk = {
  template: '{name: disk-space, default: 5GB}',
  tag: '$(params.disk-space)$',
  images: '{name: disk-space, default: 10GB}',
  tests: '{name: disk-space, default: 20GB}',
}

test('one name that two templates mean differently: the chain takes one under another name', async () => {
  const renamed = {
    ...disk,
    images: '{name: disk-space, default: 10GB, workload-param-name: disk-space-for-images}',
  }
  assert.deepEqual(await stamped(renamed), ['10GB', '20GB'])
  const workload = '{name: disk-space-for-images, value: 1GB}, {name: disk-space, value: 2GB}'
  assert.deepEqual(await stamped({ ...renamed, workload }), ['1GB', '2GB'])
  assert.deepEqual(await stamped({ ...renamed, workload: '{name: disk-space, value: 2GB}' }), ['10GB', '2GB'])
})

test('one name that two templates mean differently: the workload names the resource as well', async () => {
  assert.deepEqual(await stamped({ ...disk, workload: '{name: images/disk-space, value: 1GB}' }), [
    '1GB',
    '20GB',
  ])
  const workload = '{name: images/disk-space, value: 1GB}, {name: tests/disk-space, value: 2GB}'
  assert.deepEqual(await stamped({ ...disk, workload }), ['1GB', '2GB'])
})

test('a value of the chain is not open to a workload that names the resource', async () => {
  const fixed = { ...disk, images: '{name: disk-space, value: 10GB}' }
  assert.deepEqual(await stamped({ ...fixed, workload: '{name: images/disk-space, value: 1GB}' }), [
    '10GB',
    '20GB',
  ])
})

test('parameters are any JSON, and a part of one can be named', async () => {
  const workload = '{name: color, value: {front: red, back: [1, 2]}}'
  const chain = '{name: color, default: plain}'
  const whole = new Map<string, unknown>([
    ['front', 'red'],
    ['back', [1, 2]],
  ])
  assert.deepEqual(await stamped({ chain, workload }), [whole, whole])
  assert.deepEqual(await stamped({ chain, workload, tag: '$(params.color.front)$' }), ['red', 'red'])
  assert.deepEqual(await stamped({ chain, workload, tag: '"$(params.color.back[1])$"' }), [2, 2])
})
