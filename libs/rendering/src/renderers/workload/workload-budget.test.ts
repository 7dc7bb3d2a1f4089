import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processMs } from '@wadi/testing/processor-time.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'

/** A chain without a platform, and what workloads become of it. */
function chainWith(template: string, params: string, workloads: number): string {
  const workload = (_: unknown, index: number): string =>
    `---\napiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: w${index}, labels: {a: b}}\nspec: {params: [${params}]}\n`
  return `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: all}
spec:
  selector: {a: b}
  params: [{name: p, default: none}]
  resources: [{name: one, templateRef: {kind: ClusterTemplate, name: one}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: one}
spec:
  template: ${template}
${Array.from({ length: workloads }, workload).join('')}`
}

test('workloads that are small each and too much together are refused in little time', async () => {
  const rejection = async (files: Record<string, string>): Promise<unknown> => {
    await using fixture = new RenderFixture(await testTools(), files)
    let error: unknown
    const milliseconds = await processMs(async () => {
      error = await fixture.inspect(testSource('l0')).then(
        () => undefined,
        (reason: unknown) => reason,
      )
    })
    assert.ok(milliseconds < 20_000)
    return error
  }
  const long = 'x'.repeat(500_000)
  const large = chainWith(`{kind: X, apiVersion: v1, metadata: {name: x}, data: ${long}}`, '', 100)
  const isExhausted = (error: unknown, message: RegExp): void => {
    assert.ok(error instanceof Error && error.name === 'ResourceExhaustedError', String(error))
    assert.match(error.message, message)
  }
  isExhausted(await rejection({ 'l0/a.yaml': large }), /^l0: what is stamped may have 33554432 characters/)
  const list = `{name: p, value: [${'{a: b}, '.repeat(20_000)}{a: c}]}`
  const tags = Array.from({ length: 100 }, (_, index) => `k${index}: '$(params.p[?(@.a=="c")].a)$'`)
  const looking = chainWith(
    `{kind: X, apiVersion: v1, metadata: {name: x}, data: {${tags.join(', ')}}}`,
    list,
    1,
  )
  isExhausted(await rejection({ 'l0/a.yaml': looking }), /^l0: paths may touch 3000000 values altogether/)
  const render = (level: number): string =>
    `{kind: Render, apiVersion: wadi.dev/v1alpha1, metadata: {name: x}, spec: {path: l${level}}}`
  const nested = {
    'l0/a.yaml': chainWith(render(1), '', 11),
    'l1/a.yaml': chainWith(render(2), '', 11),
    'l2/a.yaml': chainWith(render(3), '', 11),
    'l3/a.yaml': chainWith('{kind: X, apiVersion: v1, metadata: {name: x}}', '', 11),
  }
  isExhausted(await rejection(nested), /its workloads become more than 10000 objects and sources/)
})
