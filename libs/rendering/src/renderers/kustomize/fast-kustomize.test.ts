import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { guardForTests } from '../../run/guard-fixture.ts'
import { RenderFixture, testSource } from '../../run/render-fixture.ts'
import { bundledTool } from '@wadi/renderer-tools/bundled-tools.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { kustomizationCases } from './kustomization-cases-fixture.ts'

// The engine has the version of Kustomize in the kubectl that comes along; with another on PATH the tool renders everything.
const kubectl = await bundledTool('kubectl', toolCache)
const tools = await findTools({ cacheDirectory: toolCache, kubectl })

/** The remaining checks of kustomizations that both ways build alike: another build of each, and its expected result. */
const buildsAgain: (() => Promise<void>)[] = []
const owned = new AsyncDisposableStack()
after(() => owned.disposeAsync())

for (const each of kustomizationCases) {
  test(`a kustomization with ${each.name} gives in the engine what the tool gives: ${each.outcome}`, async () => {
    const fixture = owned.use(new RenderFixture(tools, each.files))
    const { render, outcomes, messages } = guardForTests(fixture)
    const result = await render(testSource('app')).catch((error: Error) => error.message)
    assert.deepEqual(outcomes, [each.outcome], `${messages.join()} ${JSON.stringify(result)}`)
    if (each.outcome !== 'equal') return
    buildsAgain.push(async () => {
      assert.deepEqual(await render(testSource('app')), result, each.name)
      assert.deepEqual(outcomes, ['equal', 'fast'])
    })
  })
}

test('no build leaves anything to those that follow in the same engine', async () => {
  for (const buildAgain of buildsAgain.toReversed()) await buildAgain()
})

test('overlays of one base are built by the tool once, before and after a change of the base', async () => {
  const names = ['a', 'b', 'c', 'd']
  const overlays = names.map((name) => [
    `${name}/kustomization.yaml`,
    `resources: [../base]\nnamePrefix: ${name}-\n`,
  ])
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n'
  const base = { 'base/kustomization.yaml': 'resources: [m.yaml]\n', 'base/m.yaml': map }
  await using fixture = new RenderFixture(tools, { ...base, ...Object.fromEntries(overlays) })
  const { render, outcomes } = guardForTests(fixture)
  for (const name of names) await render(testSource(name))
  fixture.write('base/m.yaml', `${map}data: {a: b}\n`)
  for (const name of names) {
    const { manifests, record } = await render(testSource(name))
    assert.deepEqual(manifests, [
      `{"apiVersion":"v1","data":{"a":"b"},"kind":"ConfigMap","metadata":{"name":"${name}-m"}}`,
    ])
    assert.deepEqual(record.commands, [`kubectl kustomize ${name}`])
  }
  assert.deepEqual(outcomes, ['equal', ...Array.from({ length: 7 }, () => 'fast')])
})

const oddTexts = `apiVersion: example.com/v1
kind: Odd
metadata: {name: odd}
spec:
  numbers: [1, -0, 1.50, 1e3, 0x1f, 017, 1_000, .5, 9007199254740993, 18446744073709551616]
  words: [yes, "yes", 'no', on, y, ~, null, "null", Null, 12:30, a#b, "a: b", "#c", "", '', "it's"]
  lines: ["a\\nb", "a\\n", " a", "\\ta", "a \\n\\nb", "\\u0001"]
  literal: |
    one
    two
  indented: |2
      one
    two
  kept: |+
    one

  folded: >
    one
    two
  anchor: &a {b: c}
  alias: *a
`

const oddKustomization = `resources: [odd.yaml]
namespace: "12"
commonLabels: {a: "true", b: "2001-01-01", c: "0x1", d: "\\u007f"}
commonAnnotations: {a: é, b: "two\\nlines", c: " c ", d: "<a>&b", e: "\\u2028"}
`

test('texts that YAML could read as something else stay as they are for the tool', async () => {
  const files = { 'app/odd.yaml': oddTexts, 'app/kustomization.yaml': oddKustomization }
  await using fixture = new RenderFixture(tools, files)
  const { render, outcomes } = guardForTests(fixture)
  await assert.rejects(render(testSource('app')), /control characters are not allowed/)
  fixture.write('app/kustomization.yaml', oddKustomization.replace(', d: "\\u007f"', ''))
  await render(testSource('app'))
  assert.deepEqual(outcomes, ['refused', 'equal'])
})
