import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { cartographerRole, readCartographerObjects } from './read-objects.ts'

const recorded = readFileSync(new URL('../testdata/cartographer-validation.txt', import.meta.url), 'utf8')

/** Reads a file and returns the findings of its objects, or `<nil>`. */
function verdict(text: string): string {
  const { blueprints, templates, owners } = readCartographerObjects(readLocatedDocuments(text, 'chain.yaml'))
  const lines = [...blueprints, ...templates, ...owners].flatMap(({ findings }) => findings.lines)
  return lines.length === 0 ? '<nil>' : lines.join('\n')
}

function chain(spec: string): string {
  return `apiVersion: carto.run/v1alpha1\nkind: ClusterSupplyChain\nmetadata: {name: sc}\nspec: ${spec}\n`
}

const select = 'selector: {a: b}'
const named = (name: string, kind = 'ClusterTemplate', more = '') =>
  `{name: ${name}, templateRef: {kind: ${kind}, name: t}${more}}`
const withOptions = (options: string, kind = 'ClusterSourceTemplate') =>
  chain(`{${select}, resources: [{name: a, templateRef: {kind: ${kind}, options: [${options}]}}]}`)
const option = (name: string, selector: string) => `{name: ${name}, selector: {${selector}}}`

const recordedCases: Record<string, string> = {
  'no selector': chain(`{resources: [${named('a')}]}`),
  'dup resource': chain(`{${select}, resources: [${named('a')}, ${named('a')}]}`),
  'resource param both': chain(
    `{${select}, resources: [${named('a', 'ClusterTemplate', ', params: [{name: p, value: 1, default: 2}]')}]}`,
  ),
  'dup params allowed': chain(
    `{${select}, params: [{name: p, value: 1}, {name: p, value: 2}], resources: [${named('a')}]}`,
  ),
  'unknown source': chain(
    `{${select}, resources: [${named('a', 'ClusterTemplate', ', sources: [{name: s, resource: nope}]')}]}`,
  ),
  'wrong kind': chain(
    `{${select}, resources: [${named('b')}, ${named('a', 'ClusterTemplate', ', sources: [{name: s, resource: b}]')}]}`,
  ),
  'forward ref + self cycle allowed': chain(
    `{${select}, resources: [${named('a', 'ClusterSourceTemplate', ', sources: [{name: s, resource: b}, {name: t, resource: a}]')}, ${named('b', 'ClusterSourceTemplate')}]}`,
  ),
  'name+options': chain(
    `{${select}, resources: [{name: a, templateRef: {kind: ClusterTemplate, name: t, options: [${option('x', 'matchLabels: {c: d}')}, ${option('w', 'matchLabels: {e: f}')}]}}]}`,
  ),
  'one option': withOptions(option('x', 'matchLabels: {c: d}')),
  neither: chain(`{${select}, resources: [{name: a, templateRef: {kind: ClusterTemplate}}]}`),
  'same selector options': withOptions(
    `${option('x', 'matchLabels: {c: d}')}, ${option('z', 'matchLabels: {c: d}')}`,
  ),
  'bad key': withOptions(
    `${option('x', 'matchFields: [{key: workload.spec.image, operator: Exists}]')}, ${option('w', 'matchLabels: {c: d}')}`,
  ),
  'passthrough on ClusterTemplate': withOptions(
    `{passThrough: x, selector: {matchLabels: {c: d}}}, ${option('w', 'matchLabels: {e: f}')}`,
    'ClusterTemplate',
  ),
  'passthrough unknown': withOptions(
    `{passThrough: x, selector: {matchLabels: {c: d}}}, ${option('w', 'matchLabels: {e: f}')}`,
  ),
  'unknown kind': chain(`{${select}, resources: [${named('a', 'ClusterFooTemplate')}]}`),
}

/** Messages that differ from Cartographer's on purpose: an entry with neither field is pinned (RFC 0010, case 1). */
const pinned = 'resource param neither'

test("a chain is refused with Cartographer's message and its place", () => {
  const lines = recorded.split('\n').filter((line) => line !== '' && !line.includes('tmpl spec'))
  const reported = new Map(lines.map((line) => line.trim().split(' | ') as [string, string]))
  assert.deepEqual([...reported.keys()].toSorted(), [...Object.keys(recordedCases), pinned].toSorted())
  for (const [name, text] of Object.entries(recordedCases)) {
    assert.equal(verdict(text).replace(/^chain\.yaml:\d+: /, ''), reported.get(name), name)
  }
  assert.match(verdict(recordedCases['dup resource'] ?? ''), /^chain\.yaml:4: /)
})

test("a template is refused with Cartographer's message", () => {
  const lines = recorded.split('\n').filter((line) => line.includes('tmpl spec'))
  assert.equal(lines.length, 4)
  for (const line of lines) {
    const [, spec = '', expected = ''] = /tmpl spec: (.*) \| <nil> \| (.*)$/.exec(line) ?? []
    const text = `apiVersion: carto.run/v1alpha1\nkind: ClusterTemplate\nmetadata: {name: t}\nspec: ${spec}\n`
    assert.equal(verdict(text).replace(/^chain\.yaml:\d+: ClusterTemplate \[t\]: /, ''), expected, spec)
  }
})

test('an entry with neither value nor default is accepted', () => {
  assert.equal(verdict(chain(`{${select}, params: [{name: p}], resources: [${named('a')}]}`)), '<nil>')
  assert.equal(
    verdict(chain(`{${select}, params: [{name: p, value: null, default: 1}], resources: [${named('a')}]}`)),
    '<nil>',
  )
})

test('an object of another version is an error that says which one is read', () => {
  const text =
    'kind: Workload\napiVersion: carto.run/v1alpha2\nmetadata: {name: w}\n---\n' +
    `${chain(`{${select}, resources: [${named('a')}]}`).replace('v1alpha1', 'v1')}---\n` +
    'apiVersion: other.run/v1alpha2\nkind: Workload\nmetadata: {name: w}\n---\n' +
    'apiVersion: carto.run/v1alpha2\nkind: Runnable\nmetadata: {name: r}\n'
  assert.deepEqual(verdict(text).split('\n'), [
    'chain.yaml:5: ClusterSupplyChain [sc]: only carto.run/v1alpha1 is read, not carto.run/v1',
    'chain.yaml:2: Workload [w]: only carto.run/v1alpha1 is read, not carto.run/v1alpha2',
  ])
})

test('all errors of every object are kept with it, each with its line', () => {
  const text = `${chain('{params: [{name: p, value: 1, default: 2}], resources: [{name: a}, 5]}')}---
apiVersion: carto.run/v1alpha1
kind: ClusterImageTemplate
metadata: {annotations: {wadi.dev/emit: no}}
spec:
  template: text
---
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: w, labels: {a: 1}}
spec: {params: {}}
`
  assert.deepEqual(verdict(text).split('\n'), [
    'chain.yaml:4: error validating clustersupplychain [sc]: at least one selector, selectorMatchExpression, selectorMatchField must be specified',
    'chain.yaml:4: error validating clustersupplychain [sc]: param [p] is invalid: must set exactly one of value and default',
    'chain.yaml:4: ClusterSupplyChain [sc]: spec.resources[1] must be an object, not a number',
    'chain.yaml:4: ClusterSupplyChain [sc]: spec.resources[0].templateRef.kind is required',
    'chain.yaml:4: error validating clustersupplychain [sc]: error validating resource [a]: exactly one of templateRef.Name or templateRef.Options must be specified, found neither',
    'chain.yaml:8: ClusterImageTemplate: metadata.name is required',
    'chain.yaml:8: ClusterImageTemplate []: annotation wadi.dev/emit must be "true" or "false"',
    'chain.yaml:10: ClusterImageTemplate []: spec.template must be an object, not a string',
    'chain.yaml:9: ClusterImageTemplate []: spec.imagePath is required',
    'chain.yaml:14: Workload [w]: metadata.labels.a must be a string, not a number',
    'chain.yaml:15: Workload [w]: spec.params must be a list, not an object',
  ])
})

test('a delivery and its templates are checked as deliveries', () => {
  const text = `apiVersion: carto.run/v1alpha1
kind: ClusterDelivery
metadata: {name: d}
spec:
  selector: {a: b}
  resources:
    - {name: a, templateRef: {kind: ClusterDeploymentTemplate, name: t}, configs: [{name: c, resource: b}]}
    - {name: b, templateRef: {kind: ClusterTemplate, name: t}, deployment: {resource: a}}
    - {name: b, templateRef: {kind: ClusterTemplate, name: t}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterDeploymentTemplate
metadata: {name: t}
spec: {template: {kind: X}}
`
  assert.deepEqual(verdict(text).split('\n'), [
    'chain.yaml:9: error validating clusterdelivery [d]: spec.resources[2].name "b" cannot appear twice',
    'chain.yaml:7: error validating clusterdelivery [d]: spec.resources[a] is a ClusterDeploymentTemplate and must receive a deployment',
    'chain.yaml:7: error validating clusterdelivery [d]: spec.resources[a] is a ClusterDeploymentTemplate and must not receive config',
    'chain.yaml:8: error validating clusterdelivery [d]: spec.resources[b] receives a deployment but is not a ClusterDeploymentTemplate',
    'chain.yaml:14: ClusterDeploymentTemplate [t]: invalid spec: must set exactly one of spec.ObservedMatches and spec.ObservedCompletion',
  ])
})

test('one object of a kind and name is enough', () => {
  const twice = verdict(`${chain(`{${select}}`)}---\n${chain(`{${select}}`)}`)
  assert.deepEqual(twice.split('\n'), [
    'chain.yaml:1: ClusterSupplyChain [sc] is written twice, the other one is at chain.yaml:6',
    'chain.yaml:6: ClusterSupplyChain [sc] is written twice, the other one is at chain.yaml:1',
  ])
})

test('other documents are returned, and roles say who writes what', () => {
  const documents = readLocatedDocuments(
    `${chain(`{${select}}`)}---\n{apiVersion: v1, kind: ConfigMap}\n---\n{apiVersion: carto.run/v1alpha1, kind: Runnable}\n---\n{apiVersion: carto.run/v1alpha1, kind: Workload}\n---\njust text\n`,
    'x.yaml',
  )
  assert.deepEqual(documents.map(cartographerRole), [
    'operator',
    undefined,
    undefined,
    'developer',
    undefined,
  ])
  const { blueprints, others } = readCartographerObjects(documents.slice(0, 3))
  assert.deepEqual([blueprints.length, others.length], [1, 2])
})

test('keys of plain objects do no harm', () => {
  const text = `apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: w, labels: {__proto__: x, constructor: w}}\n`
  const [owner] = readCartographerObjects(readLocatedDocuments(text, 'x.yaml')).owners
  assert.deepEqual(
    [...(owner?.labels ?? [])],
    [
      ['__proto__', 'x'],
      ['constructor', 'w'],
    ],
  )
})

test('lists that nobody writes by hand and endless errors are bounded', () => {
  const params = Array.from({ length: 1001 }, () => '{name: p, value: 1}').join(', ')
  assert.match(verdict(chain(`{${select}, params: [${params}]}`)), /spec\.params may have 1000 items$/)
  const resources = Array.from({ length: 201 }, (_, index) => named(`r${index}`)).join(', ')
  assert.match(
    verdict(chain(`{${select}, resources: [${resources}]}`)),
    /spec\.resources may have 200 items$/,
  )
  const wrong = Array.from({ length: 900 }, () => '\n  - 5').join('')
  const lines = verdict(chain(`\n  selector: {a: b}\n  params: ${wrong}`)).split('\n')
  assert.deepEqual([lines.length, lines.at(-1)], [101, 'and more'])
})
