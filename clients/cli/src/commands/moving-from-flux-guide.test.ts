import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { startGuide } from '../testing/guide-fixture.ts'

test('the commands of Moving from Flux do what it says, in their order', async () => {
  const { helm, kustomize } = await findTools({ cacheDirectory: toolCache })
  const programs = [helm, kustomize].map(({ command: [program = ''] }) => dirname(program)).join(':')
  await using guide = await startGuide('moving-from-flux.md', '/tmp/wadi-flux')
  const outputs: string[] = []
  // A shell keeps what its user exports.
  const exported = `export WADI_ALLOW_FILE_URLS=true PATH='${programs}':"$PATH"\n`
  for (const block of guide.blocks) {
    const { code, output } = await guide.run(`${exported}${block}`)
    assert.equal(code, 0, `${block}${output}`)
    outputs.push(output)
  }
  const [, , compared = '', switched = ''] = outputs
  assert.match(compared, /^argocd\/shop: equal \(1 object\)\nargocd\/web: equal \(1 object\)$/m)
  assert.match(switched, /image: registry\.example\.com\/web:1\.4\.2/)
  const settings =
    /^ {2}color: blue\n {2}replicas: "3"\nkind: ConfigMap\nmetadata:\n {2}name: shop-shop-settings$/m
  assert.match(switched, settings)
})
