import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectsOf, rejection, stampFiles } from './chain-fixture.ts'

const workload = (spec = '{}', labels = '{type: web}') =>
  `apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: shop, namespace: web, labels: ${labels}}\nspec: ${spec}\n`

const chain = (name: string, spec: string) =>
  `---\napiVersion: carto.run/v1alpha1\nkind: ClusterSupplyChain\nmetadata: {name: ${name}}\nspec: ${spec}\n`

const template = (name: string, spec: string) =>
  `---\napiVersion: carto.run/v1alpha1\nkind: ClusterTemplate\nmetadata: {name: ${name}}\nspec: ${spec}\n`

const resource = (name: string, templateName: string) =>
  `{name: ${name}, templateRef: {kind: ClusterTemplate, name: ${templateName}}}`

const sound =
  chain('sound', `{selector: {type: web}, resources: [${resource('a', 'made')}]}`) +
  template('made', '{template: {apiVersion: v1, kind: ConfigMap, metadata: {name: made}}}')

const twoFields = 'params: [{name: p, value: 1, default: 2}]'

async function madeFrom(platform: string): Promise<string> {
  const stamped = await stampFiles({ 'w.yaml': workload(), 'platform.yaml': sound + platform })
  assert.equal(objectsOf(stamped).length, 1)
  return stamped.blueprint.name
}

async function refusedWith(platform: string, owner = workload()): Promise<string[]> {
  return rejection({ 'w.yaml': owner, 'platform.yaml': platform })
}

test('errors of chains and templates that a workload does not use are not reported for it', async () => {
  const others = [
    chain('other', `{selector: {type: api}, ${twoFields}, resources: []}`),
    chain('unselective', `{resources: [${resource('a', 'made')}]}`),
    chain('unreadable', '{selector: {type: [web]}, resources: []}'),
    chain('no map', 'text'),
    template('unused', '{template: {}, ytt: x}'),
    template('unused', '{}'),
    '---\n{apiVersion: carto.run/v1alpha1, kind: ClusterTemplate}\n',
  ]
  for (const other of others) assert.equal(await madeFrom(other), 'sound', other)
  assert.equal(await madeFrom(others.join('')), 'sound')
})

test('a chain with errors that fits best is an error, and never makes room for another one', async () => {
  const better = chain(
    'better',
    `{selector: {type: web}, selectorMatchFields: [{key: metadata.name, operator: In, values: [shop]}], ${twoFields}, resources: []}`,
  )
  assert.deepEqual(await refusedWith(sound + better), [
    'platform.yaml:15: error validating clustersupplychain [better]: param [p] is invalid: must set exactly one of value and default',
  ])
  const tied = await refusedWith(
    sound + chain('tied', `{selector: {type: web}, ${twoFields}, resources: []}`),
  )
  assert.match(tied[0] ?? '', /^w\.yaml:1: workload may only match a single supply chain's selector: /)
  assert.deepEqual(tied.slice(1), [
    'platform.yaml:15: error validating clustersupplychain [tied]: param [p] is invalid: must set exactly one of value and default',
  ])
})

test('a chain whose selector has errors is reported when no other chain fits', async () => {
  const unknown =
    chain('a', '{selector: {type: [web]}, resources: []}') +
    chain('b', '{selectorMatchExpressions: [{key: type, operator: Among, values: [web]}], resources: []}')
  assert.deepEqual(await refusedWith(unknown), [
    'w.yaml:1: no supply chain [web/shop] found where full selector is satisfied by labels: map[type:web]; there is [a] (platform.yaml:2), [b] (platform.yaml:7)',
    'platform.yaml:5: ClusterSupplyChain [a]: spec.selector.type must be a string, not a list',
    'platform.yaml:10: error validating clustersupplychain [b]: selectorMatchExpressions are not valid: operator [Among] is invalid',
  ])
})

test('the errors of a chain and of the templates that it names are reported together', async () => {
  const platform =
    chain('bad', `{selector: {type: web}, ${twoFields}, resources: [${resource('a', 'worse')}]}`) +
    template('worse', '{template: {}, ytt: x}')
  assert.deepEqual(await refusedWith(platform), [
    'platform.yaml:5: error validating clustersupplychain [bad]: param [p] is invalid: must set exactly one of value and default',
    'platform.yaml:10: ClusterTemplate [worse]: invalid template: must specify one of template or ytt, found both',
  ])
})

test('a template with errors is reported beside the other errors of the workload', async () => {
  const platform =
    chain('sc', `{selector: {type: web}, resources: [${resource('a', 'worse')}, ${resource('b', 'gone')}]}`) +
    template('worse', '{template: {metadata: {namespace: x}}}')
  assert.deepEqual(await refusedWith(platform), [
    'platform.yaml:10: ClusterTemplate [worse]: invalid template: template should not set metadata.namespace on the child object',
    "platform.yaml:5: unable to get template [gone] for resource [b] in supply chain [sc]: there is no ClusterTemplate of that name among the operators' objects",
  ])
})

test('of two chains with one name neither is taken, whichever of them fits', async () => {
  const twin = (type: string) =>
    chain('twin', `{selector: {type: ${type}}, resources: [${resource('a', 'made')}]}`)
  for (const platform of [twin('web') + twin('api'), twin('api') + twin('web')]) {
    const [line, ...others] = await refusedWith(platform)
    assert.match(
      line ?? '',
      /ClusterSupplyChain \[twin\] is written twice, the other one is at platform\.yaml:/,
    )
    assert.deepEqual(others, [])
  }
})

test('the errors of a workload are reported before a chain is looked for', async () => {
  assert.deepEqual(await refusedWith(sound, workload('{params: [{value: 1}, 5]}', '{type: 5}')), [
    'w.yaml:3: Workload [shop]: metadata.labels.type must be a string, not a number',
    'w.yaml:4: Workload [shop]: spec.params[1] must be an object, not a number',
    'w.yaml:4: Workload [shop]: spec.params[0].name is required',
  ])
})
