import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardForTests } from '../fast/guard-fixture.ts'
import { RenderFixture, testSource } from '../render-fixture.ts'
import { bundledTool } from '../sandbox/bundled-tools.ts'
import { findTools } from '../sandbox/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { type KustomizationCase, kustomizationCases } from './kustomization-cases-fixture.ts'

// The engine has the version of Kustomize in the kubectl that comes along; with another on PATH the tool renders everything.
const kubectl = await bundledTool('kubectl', toolCache)
const tools = await findTools({ cacheDirectory: toolCache, kubectl })

const results = new Map<KustomizationCase, unknown>()

for (const each of kustomizationCases) {
  test(`a kustomization with ${each.name} gives in the engine what the tool gives: ${each.outcome}`, async () => {
    await using fixture = new RenderFixture(tools, each.files)
    const { render, outcomes, messages } = guardForTests(fixture)
    const result = await render(testSource('app')).catch((error: Error) => error.message)
    assert.deepEqual(outcomes, [each.outcome], `${messages.join()} ${JSON.stringify(result)}`)
    results.set(each, result)
  })
}

test('no build leaves anything to those that follow in the same engine', async () => {
  for (const each of kustomizationCases.toReversed().filter(({ outcome }) => outcome === 'equal')) {
    await using fixture = new RenderFixture(tools, each.files)
    const { render, outcomes } = guardForTests(fixture)
    await render(testSource('app'))
    assert.deepEqual(await render(testSource('app')), results.get(each), each.name)
    assert.deepEqual(outcomes, ['equal', 'fast'])
  }
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
