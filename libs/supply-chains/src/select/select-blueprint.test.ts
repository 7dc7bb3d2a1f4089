import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { readCartographerObjects } from '../read/read-objects.ts'
import { selectBlueprint, selectOption } from './select-blueprint.ts'

const workload = `apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: shop, namespace: web, labels: {type: web, tier: gold}}
spec:
  source: {git: {url: https://git.example}}
  params: [{name: size, value: 5}, {name: color, value: red}, {name: dark, value: false}]
`

function chain(name: string, selector: string, options = ''): string {
  const resources =
    options === '' ? '[]' : `[{name: r, templateRef: {kind: ClusterTemplate, options: [${options}]}}]`
  return `---\napiVersion: carto.run/v1alpha1\nkind: ClusterSupplyChain\nmetadata: {name: ${name}}\nspec: {${selector}, resources: ${resources}}\n`
}

/** Returns the name of the selected chain, or what is refused. */
function selected(chains: string, owner = workload): string {
  const { owners, blueprints } = readCartographerObjects(
    readLocatedDocuments(`${owner}${chains}`, 'all.yaml'),
  )
  assert.ok(owners[0])
  try {
    return selectBlueprint(owners[0], blueprints).name
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

const byFields = (...requirements: string[]) => `selectorMatchFields: [${requirements.join(', ')}]`
const byExpressions = (...requirements: string[]) => `selectorMatchExpressions: [${requirements.join(', ')}]`

test('the chain with the most fulfilled requirements is selected', () => {
  assert.equal(
    selected(chain('one', 'selector: {type: web}') + chain('two', 'selector: {type: web, tier: gold}')),
    'two',
  )
  const mixed =
    'selector: {type: web}, selectorMatchExpressions: [{key: tier, operator: Exists}], selectorMatchFields: [{key: spec.source.git.url, operator: Exists}]'
  assert.equal(selected(chain('two', 'selector: {type: web, tier: gold}') + chain('three', mixed)), 'three')
  assert.equal(
    selected(chain('one', 'selector: {type: web}') + chain('other', 'selector: {type: web, tier: tin}')),
    'one',
  )
})

test('requirements on labels mean what they mean in Kubernetes', () => {
  const cases: [requirement: string, matches: boolean][] = [
    ['{key: type, operator: In, values: [api, web]}', true],
    ['{key: type, operator: In, values: [api]}', false],
    ['{key: nope, operator: In, values: [api]}', false],
    ['{key: type, operator: NotIn, values: [api]}', true],
    ['{key: nope, operator: NotIn, values: [api]}', true],
    ['{key: type, operator: NotIn, values: [web]}', false],
    ['{key: type, operator: Exists}', true],
    ['{key: nope, operator: Exists}', false],
    ['{key: nope, operator: DoesNotExist}', true],
    ['{key: type, operator: DoesNotExist}', false],
  ]
  for (const [requirement, matches] of cases) {
    assert.equal(selected(chain('c', byExpressions(requirement))) === 'c', matches, requirement)
  }
})

test("requirements on fields see a field that is not set as Cartographer's typed objects do", () => {
  const cases: [requirement: string, matches: boolean][] = [
    ['{key: spec.source.git.url, operator: In, values: [https://git.example]}', true],
    ['{key: spec.image, operator: NotIn, values: [x]}', true],
    ['{key: spec.image, operator: Exists}', false],
    ['{key: spec.image, operator: DoesNotExist}', true],
    ['{key: spec.source.git.ref.branch, operator: DoesNotExist}', true],
    ['{key: spec.source.git.ref.branch, operator: NotIn, values: [x]}', false],
    ['{key: metadata.labels.nope, operator: NotIn, values: [x]}', false],
    ['{key: metadata.labels.nope, operator: DoesNotExist}', true],
    [`{key: 'spec.params[?(@.name=="color")].value', operator: In, values: [red]}`, true],
    [`{key: 'spec.params[?(@.name=="size")].value', operator: In, values: ["5"]}`, false],
    [`{key: 'spec.params[?(@.name=="dark")].value', operator: Exists}`, true],
    [`{key: 'spec.params[?(@.name=="nope")].value', operator: NotIn, values: [x]}`, false],
  ]
  for (const [requirement, matches] of cases) {
    assert.equal(selected(chain('c', byFields(requirement))) === 'c', matches, requirement)
  }
})

test('a tie, no match and an owner without labels are reported with names and places', () => {
  assert.equal(
    selected(chain('a', 'selector: {type: web}') + chain('b', 'selector: {tier: gold}')),
    "all.yaml:1: workload may only match a single supply chain's selector: [web/shop] matches [a] (all.yaml:8), [b] (all.yaml:13) equally well",
  )
  assert.equal(
    selected(chain('a', 'selector: {type: api}')),
    'all.yaml:1: no supply chain [web/shop] found where full selector is satisfied by labels: map[tier:gold type:web]; there is [a] (all.yaml:8)',
  )
  assert.equal(
    selected('', 'apiVersion: carto.run/v1alpha1\nkind: Deliverable\nmetadata: {name: shop}\n'),
    'all.yaml:1: deliverable [/shop] is missing required labels: it has none that a delivery could select it by; there is no delivery',
  )
  assert.equal(
    selected(
      chain(
        'a',
        byFields(
          '{key: "spec.params[0].value.x[0]", operator: Exists}',
          '{key: "spec.params[9]", operator: Exists}',
        ),
      ),
    ),
    'all.yaml:1: no supply chain [web/shop] found where full selector is satisfied by labels: map[tier:gold type:web]; there is [a] (all.yaml:8)',
  )
  assert.match(
    selected(chain('a', byFields('{key: "spec.params[9]", operator: Exists}'))),
    /^all\.yaml:8: error handling selectors, selectorMatchExpressions or selectorMatchFields of \[ClusterSupplyChain\/a\]: failed to evaluate selector matchFields: unable to match field requirement with key \[spec\.params\[9\]\] operator \[Exists\] values \[\]: .*index 9, length 3$/,
  )
})

test('exactly one option of a resource must match best', () => {
  const option = (name: string, labels: string) => `{name: ${name}, selector: {matchLabels: {${labels}}}}`
  const chosen = (...options: string[]) => {
    const text = `${workload}${chain('sc', 'selector: {type: web}', options.join(', '))}`
    const { owners, blueprints } = readCartographerObjects(readLocatedDocuments(text, 'all.yaml'))
    const [owner, blueprint] = [owners[0], blueprints[0]]
    assert.ok(owner && blueprint?.resources[0])
    try {
      return selectOption(owner, blueprint.resources[0], blueprint)?.name
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }
  assert.equal(chosen(option('a', 'type: web'), option('b', 'type: web, tier: gold')), 'b')
  assert.equal(
    chosen(option('a', 'type: web'), option('b', 'tier: gold')),
    'expected exactly 1 option to match, found [2] matching options [a, b] for resource [r] in supply chain [sc]',
  )
  assert.equal(
    chosen(option('a', 'type: x'), option('b', 'tier: x')),
    'expected exactly 1 option to match, found [0] matching options for resource [r] in supply chain [sc]',
  )
})
