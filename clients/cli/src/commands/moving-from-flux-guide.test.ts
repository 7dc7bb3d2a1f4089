import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportedWith, startGuide } from '../testing/guide-fixture.ts'

test('the commands of Moving from Flux do what it says, in their order', async () => {
  await using guide = await startGuide('moving-from-flux.md', '/tmp/wadi-flux')
  const [, , compared = '', switched = ''] = await guide.runAll(await exportedWith('helm', 'kustomize'))
  assert.match(compared, /^argocd\/shop: equal \(1 object\)\nargocd\/web: equal \(1 object\)$/m)
  assert.match(switched, /image: registry\.example\.com\/web:1\.4\.2/)
  const settings =
    /^ {2}color: blue\n {2}replicas: "3"\nkind: ConfigMap\nmetadata:\n {2}name: shop-shop-settings$/m
  assert.match(switched, settings)
})
