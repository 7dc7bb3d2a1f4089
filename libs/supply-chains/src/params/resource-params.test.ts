import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goJsonValue } from '../stamp/go-json.ts'
import { stampFiles } from '../chain-fixture.ts'

interface Params {
  template?: string
  chain?: string
  resource?: string
  workload?: string
  annotations?: string
}

const files = ({ template = '', chain = '', resource = '', workload = '', annotations = '' }: Params) => ({
  'platform/web.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web, annotations: {${annotations}}}
spec:
  selector: {type: web}
  params: [${chain}]
  resources:
    - name: a
      templateRef: {kind: ClusterTemplate, name: t}
      params: [${resource}]
    - {name: b, templateRef: {kind: ClusterTemplate, name: t}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: t}
spec:
  params: [${template}]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "$(labels['carto\\\\.run/resource-name'])$"}}
`,
  'apps/shop/workload.yaml': `apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: shop, labels: {type: web}}
spec:
  params: [${workload}]
`,
})

/** Returns the parameters of the resources a and b, and the warnings. */
async function resolved(params: Params): Promise<{ a: string; b: string; warnings: readonly string[] }> {
  const stamped = await stampFiles(files(params))
  const text = (name: string) => goJsonValue(stamped.params.get(name)?.tree ?? null)
  return { a: text('a'), b: text('b'), warnings: stamped.warnings }
}

const t = '{name: p, default: t}'
const o = '{name: p, value: o}'

test("the order is chain value, workload value, chain default, template default; the resource's entry replaces the chain's", async () => {
  const cases: [given: Params, result: string][] = [
    [{ template: t }, 't'],
    [{ template: t, workload: o }, 't'],
    [{ template: t, workload: o, annotations: 'wadi.dev/undeclared-params: allow' }, 'o'],
    [{ workload: o, annotations: 'wadi.dev/undeclared-params: allow' }, 'o'],
    [{ template: t, chain: '{name: p, default: c}' }, 'c'],
    [{ template: t, chain: '{name: p, default: c}', workload: o }, 'o'],
    [{ template: t, chain: '{name: p, value: c}' }, 'c'],
    [{ template: t, chain: '{name: p, value: c}', workload: o }, 'c'],
    [{ template: t, chain: '{name: p, value: c}', resource: '{name: p, default: r}' }, 'r'],
    [{ template: t, chain: '{name: p, value: c}', resource: '{name: p, default: r}', workload: o }, 'o'],
    [{ template: t, chain: '{name: p, default: c}', resource: '{name: p, value: r}', workload: o }, 'r'],
    [{ template: t, resource: '{name: p, value: r}', workload: o }, 'r'],
    [{ chain: '{name: p, default: c}', workload: o }, 'o'],
    [{ template: t, chain: '{name: p}', workload: o }, 't'],
    [{ template: t, chain: '{name: p, value: c}', resource: '{name: p}', workload: o }, 't'],
    [{ template: t, chain: '{name: p, value: c}, {name: p, default: d}', workload: o }, 'o'],
    [{ template: t, chain: '{name: p, default: d}, {name: p, value: c}', workload: o }, 'c'],
    [
      { template: t, chain: '{name: p, default: c}', workload: '{name: p, value: x}, {name: p, value: o}' },
      'o',
    ],
  ]
  for (const [given, result] of cases) {
    assert.equal((await resolved(given)).a, `{"p":"${result}"}`, JSON.stringify(given))
  }
})

test('values are replaced whole, and false, empty and null apply as they are written', async () => {
  const whole = await resolved({
    template: '{name: p, default: {x: 1, y: 2}}',
    chain: '{name: p, default: 0}',
    workload: '{name: p, value: {z: 3}}',
  })
  assert.equal(whole.a, '{"p":{"z":3}}')
  for (const value of ['false', '""', '0', 'null']) {
    const { a } = await resolved({ chain: '{name: p, default: 1}', workload: `{name: p, value: ${value}}` })
    assert.equal(a, `{"p":${value}}`)
  }
  assert.equal((await resolved({ chain: '{name: p, value: false}', workload: o })).a, '{"p":false}')
})

test('what a workload sets in vain is reported with the place that decides', async () => {
  const given: [params: Params, warnings: string[]][] = [
    [
      { chain: '{name: p, value: c}', workload: o },
      ['workload param "p" ignored: supply chain "web" fixes it (platform/web.yaml:6)'],
    ],
    [
      { template: t, chain: '{name: p}', workload: o },
      [
        `workload param "p" ignored: supply chain "web" pins it to the template's default (platform/web.yaml:6)`,
      ],
    ],
    [
      { template: t, workload: o },
      ['workload param "p" ignored: supply chain "web" does not list it (apps/shop/workload.yaml:5)'],
    ],
    [
      { workload: '{name: nope/p, value: 1}' },
      ['workload param "nope/p" ignored: supply chain "web" does not list it (apps/shop/workload.yaml:5)'],
    ],
    [
      { chain: '{name: p, value: c}', resource: '{name: p, default: r}', workload: o },
      ['workload param "p" ignored in resource "b": supply chain "web" fixes it (platform/web.yaml:6)'],
    ],
    [
      { chain: '{name: p, default: c}', resource: '{name: p, value: r}', workload: o },
      ['workload param "p" ignored in resource "a": supply chain "web" fixes it (platform/web.yaml:10)'],
    ],
    [
      { chain: '{name: p, default: c}', workload: `${o}, ${o}` },
      ['workload param "p" (apps/shop/workload.yaml:5) ignored: it is set again below'],
    ],
    [{ chain: '{name: p, default: c}', workload: o }, []],
    [{ workload: o, annotations: 'wadi.dev/undeclared-params: allow' }, []],
    [{ resource: '{name: p, default: r}', workload: o }, []],
  ]
  for (const [params, warnings] of given) assert.deepEqual((await resolved(params)).warnings, warnings)
})

test("a workload's resource/param reaches that resource alone", async () => {
  const chain = '{name: p, default: c}'
  assert.deepEqual(await resolved({ chain, workload: '{name: a/p, value: 1}' }), {
    a: '{"p":1}',
    b: '{"p":"c"}',
    warnings: [],
  })
  assert.deepEqual(await resolved({ chain, workload: '{name: a/p, value: 1}, {name: p, value: 2}' }), {
    a: '{"p":1}',
    b: '{"p":2}',
    warnings: [],
  })
  const fixed = await resolved({ chain: '{name: p, value: c}', workload: '{name: a/p, value: 1}' })
  assert.deepEqual(
    [fixed.a, fixed.warnings],
    ['{"p":"c"}', ['workload param "a/p" ignored: supply chain "web" fixes it (platform/web.yaml:6)']],
  )
  const unlisted = await resolved({ template: t, workload: '{name: a/p, value: 1}' })
  assert.deepEqual([unlisted.a, unlisted.warnings.length], ['{"p":"t"}', 1])
  const allowed = await resolved({
    workload: '{name: a/p, value: 1}, {name: x/y, value: 2}',
    annotations: 'wadi.dev/undeclared-params: allow',
  })
  assert.deepEqual(allowed, { a: '{"p":1,"x/y":2}', b: '{"x/y":2}', warnings: [] })
  const literal = await resolved({ chain: '{name: a/p, default: 0}', workload: '{name: a/p, value: 1}' })
  assert.deepEqual([literal.a, literal.b], ['{"a/p":1}', '{"a/p":1}'])
})

test('a chain takes a parameter under the name that it gives it', async () => {
  const resource = '{name: disk-space, default: 10, workload-param-name: disk-space-for-images}'
  const workload = '{name: disk-space-for-images, value: 20}, {name: disk-space, value: 30}'
  assert.deepEqual(await resolved({ resource, chain: '{name: disk-space, default: 5}', workload }), {
    a: '{"disk-space":20}',
    b: '{"disk-space":30}',
    warnings: [],
  })
  const plain = await resolved({ resource, workload: '{name: disk-space, value: 30}' })
  assert.deepEqual(
    [plain.a, plain.warnings],
    [
      '{"disk-space":10}',
      [
        'workload param "disk-space" ignored: supply chain "web" takes it under another name (platform/web.yaml:10)',
      ],
    ],
  )
  assert.equal(
    (await resolved({ resource, workload: '{name: a/disk-space, value: 40}' })).a,
    '{"disk-space":40}',
  )
})

test('every parameter says what decided it and what that overrides', async () => {
  const { params } = await stampFiles(
    files({
      template: t,
      chain: '{name: p, value: c}',
      resource: '{name: q, default: r}',
      workload: `${o}, {name: q, value: 1}`,
    }),
  )
  const reported = (name: string) => {
    const why = params.get('a')?.why([name])
    return [why?.winner, ...(why?.overridden ?? [])].map(
      (source) => `${source?.label} ${source?.owner} ${source?.kind} ${source?.at.file}:${source?.at.line}`,
    )
  }
  assert.deepEqual(reported('p'), [
    'supply chain value operator value platform/web.yaml:6',
    'workload param developer value apps/shop/workload.yaml:5',
    'template default tool default platform/web.yaml:17',
  ])
  assert.deepEqual(reported('q'), [
    'workload param developer value apps/shop/workload.yaml:5',
    'resource default operator default platform/web.yaml:10',
  ])
  const pinned = await stampFiles(files({ template: t, chain: '{name: p}', workload: o }))
  const why = pinned.params.get('a')?.why(['p'])
  assert.equal(why?.winner.label, 'template default, which the supply chain keeps')
  assert.deepEqual(
    why?.overridden.map(({ label }) => label),
    ['workload param'],
  )
})

test('names of plain objects are names like any other', async () => {
  const { a } = await resolved({
    chain: '{name: __proto__, default: 1}, {name: constructor, default: 2}',
    workload: '{name: __proto__, value: {polluted: true}}',
  })
  assert.equal(a, '{"__proto__":{"polluted":true},"constructor":2}')
  assert.equal('polluted' in {}, false)
})
