import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { RenderFixture, testSource, testTools } from '../render-fixture.ts'
import { supplyChainFiles } from '../workload/supply-chain-fixture.ts'
import { changesOf, describeSource, editSource } from '../describe/parameters-fixture.ts'

const tools = await testTools()

for (const [path, text] of [
  [
    'packages/web',
    'a package takes its values from values.files and zarf-config.yaml: edit them; `wadi explain packages/web` shows where each value is',
  ],
  [
    'apps/shop/prod',
    'a workload takes its values from its spec.params and from supply chains: edit them; `wadi explain apps/shop/prod` shows where each value is',
  ],
] as const) {
  test(`${path} has no parameters, and it is reported where its values are`, async () => {
    await using fixture = new RenderFixture(tools, supplyChainFiles)
    const source = testSource(path)
    const { parameters, warnings } = await describeSource(fixture, source)
    assert.deepEqual([parameters, warnings], [[], [text]])
    for (const change of ['app.replicas=3', 'app.replicas-', 'release-name=x']) {
      await assert.rejects(
        editSource(fixture, source, changesOf(change)),
        new InvalidInputError(`source "${path}": ${text}`),
      )
    }
  })
}
