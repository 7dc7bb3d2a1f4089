import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processMs } from '@wadi/testing/processor-time.ts'
import { chainOf, objectsOf, rejection, stampFiles, template } from './chain-fixture.ts'

const resource = '    - {name: a, templateRef: {kind: ClusterTemplate, name: t}}\n'
const configMap = (value: string) =>
  template(
    'ClusterTemplate',
    't',
    `  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {v: ${value}}}\n`,
  )

const workload = (params: string, labels = '{t: web}') =>
  `{apiVersion: carto.run/v1alpha1, kind: Workload, metadata: {name: w, namespace: ns, labels: ${labels}}, spec: {params: [${params}]}}\n`

const listOf = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join(', ')

/** Returns the lines of the error in which a template with one value ends. */
async function rejectionOfValue(value: string, params = ''): Promise<string> {
  const files = { ...chainOf(resource, configMap(value)), 'apps/a/workload.yaml': workload(params) }
  const lines = await rejection(files)
  return lines.join('\n')
}

test('a workload with ten thousand parameters and a chain with a thousand resources are refused', async () => {
  const params = listOf(10_000, (index) => `{name: p${index}, value: 1}`)
  assert.equal(
    await rejectionOfValue('x', params),
    'apps/a/workload.yaml:1: Workload [w]: spec.params may have 1000 items',
  )
  const resources = Array.from({ length: 1000 }, (_, index) => resource.replace('name: a', `name: a${index}`))
  assert.deepEqual(await rejection(chainOf(resources.join(''), configMap('x'))), [
    'platform/chain.yaml:4: error validating clustersupplychain [sc]: spec.resources may have 200 items',
  ])
})

test('paths that look everywhere are refused in little time', async () => {
  const params = listOf(900, (index) => `{name: p${index}, value: {a: {a: {a: {a: 1}}}}}`)
  const milliseconds = await processMs(async () => {
    for (const path of ['workload..', 'workload..a', 'workload..a..a..a..a', 'workload.*.*.*.*']) {
      const message = await rejectionOfValue(`"$(${path})$"`, params)
      assert.match(message, /^platform\/templates\.yaml:6: unable to stamp object for resource \[a\] /, path)
      assert.ok(message.length < 1000, path)
    }
  })
  assert.ok(milliseconds < 10_000)
})

test('texts with many tags become as long as a bound allows', async () => {
  const params = `{name: p, value: ${'x'.repeat(10_000)}}`
  const message = await rejectionOfValue(`"${'$(workload.spec.params[0].value)$'.repeat(4000)}"`, params)
  assert.equal(message, 'apps/a/workload.yaml:1: what is stamped may have 33554432 characters altogether')
  const nested = await rejectionOfValue(`"${'$(a'.repeat(50_000)}${')$'.repeat(50_000)}"`)
  assert.match(
    nested,
    /a jsonpath may have 4096 characters; the tag that begins with "\$\(a" is closed by a later "\)\$": end it with "\)\$", or take the "\$" after a later "\)" away$/,
  )
  const open = '$('.repeat(100_000)
  const stamped = await stampFiles(chainOf(resource, configMap(`"${open}"`)))
  assert.ok(objectsOf(stamped)[0]?.includes(open))
})

test('what a tag makes of apiVersion and kind must be a text', async () => {
  const kinds = (apiVersion: string, kind: string) => ({
    'platform/chain.yaml': chainOf(resource, '')['platform/chain.yaml'] ?? '',
    'platform/templates.yaml': template(
      'ClusterTemplate',
      't',
      `  params: [{name: v, default: ${apiVersion}}, {name: k, default: ${kind}}]\n  template: {apiVersion: $(params.v)$, kind: $(params.k)$, metadata: {name: x}}\n`,
    ),
    'apps/a/workload.yaml': workload(''),
  })
  const [object] = objectsOf(await stampFiles(kinds('v1', 'ConfigMap')))
  assert.match(object ?? '', /^\{"apiVersion":"v1","kind":"ConfigMap",/)
  const unable =
    'unable to stamp object for resource [a] for template [ClusterTemplate/t] in supply chain [sc]'
  assert.deepEqual(await rejection(kinds('5', '{a: 1}')), [
    `platform/templates.yaml:7: ${unable}: apiVersion must be a string, not a number`,
    `platform/templates.yaml:7: ${unable}: kind must be a string, not an object`,
  ])
  assert.deepEqual(await rejection(kinds('""', 'ConfigMap')), [
    `platform/templates.yaml:7: ${unable}: apiVersion is required`,
  ])
})

test('names of plain objects are there only when somebody wrote them', async () => {
  const missing = await rejectionOfValue('"$(params.constructor)$ $(params.__proto__)$"')
  assert.match(missing, /jsonpath returned empty list: params\.constructor; known params: none/)
  assert.match(missing, /jsonpath returned empty list: params\.__proto__; known params: none/)
  const selecting = (selector: string) => ({
    'platform/chain.yaml': (chainOf(resource, '')['platform/chain.yaml'] ?? '').replace(
      'selector: {t: web}',
      selector,
    ),
    'platform/templates.yaml': configMap('x'),
  })
  const byKey = selecting('selectorMatchExpressions: [{key: constructor, operator: Exists}]')
  const lines = await rejection({ ...byKey, 'apps/a/workload.yaml': workload('') })
  assert.match(lines[0] ?? '', /no supply chain \[ns\/w\] found/)
  const labelled = workload('', '{constructor: "on"}')
  assert.equal((await stampFiles({ ...byKey, 'apps/a/workload.yaml': labelled })).objects.length, 1)
})

test('byte order marks, line ends of Windows and empty documents change nothing', async () => {
  const files = chainOf(resource, configMap('x'))
  const plain = objectsOf(await stampFiles(files))
  assert.equal(plain.length, 1)
  const changed = Object.entries(files).map(([file, text]) => [
    file,
    `\uFEFF---\n---\n# nothing\n---\n${text}\n---\n`.replaceAll('\n', '\r\n'),
  ])
  assert.deepEqual(objectsOf(await stampFiles(Object.fromEntries(changed))), plain)
})

test('tabs and keys that are written twice are refused with their place', async () => {
  const files = chainOf(resource, configMap('x'))
  const twice = { ...files, 'apps/a/workload.yaml': 'kind: Workload\nkind: Workload\n' }
  assert.deepEqual(await rejection(twice), [
    'apps/a/workload.yaml:2:1: duplicate key "kind", which is already at 1:1',
  ])
  assert.deepEqual(await rejection({ ...files, 'apps/a/workload.yaml': 'kind:\n\tname: x\n' }), [
    'apps/a/workload.yaml:2:1: tab characters must not be used in indentation',
  ])
})
