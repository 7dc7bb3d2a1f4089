import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGuide } from '../testing/guide-fixture.ts'

test('the commands of Moving from Argo CD do what it says, in their order', async () => {
  await using guide = await startGuide('moving-from-argo-cd.md', '/tmp/wadi-move')
  const [, plan = '', check = '', written = '', hydrated = '', back = ''] = await guide.runAll()
  const [table = ''] = plan.split('\n\n')
  assert.ok(guide.text.includes(`\n${table}\n`), table)
  assert.match(
    check,
    /\n\nargocd\/blog: equal \(1 object\)\nargocd\/shop: equal \(1 object\)\nWARN.* Argo CD has options in drySource /,
  )
  assert.match(
    written,
    /^committed to branch hydrate-prod as \S+: \.wadi-import\.patch, apps\/blog\.yaml, apps\/shop\.yaml$/m,
  )
  assert.match(hydrated, /^ {2}replicas: "2"\nkind: ConfigMap\nmetadata:\n {2}name: shop-settings$/m)
  assert.match(back, /^written: /m)
})
