import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportedWith, startGuide } from '../testing/guide-fixture.ts'

test('the commands of Moving from scripts do what it says, in their order', async () => {
  await using guide = await startGuide('moving-from-scripts.md', '/tmp/wadi-scripts')
  const [, script = '', helmfile = '', kargo = '', switched = ''] = await guide.runAll(
    await exportedWith('helm'),
  )
  assert.match(script, /^argocd\/shop +equal +1 +rendered\/prod +shop /m)
  const both = /^argocd\/blog +equal +1 .*\nargocd\/shop +equal +1 /m
  assert.match(helmfile, both)
  assert.match(kargo, both)
  assert.doesNotMatch(kargo, /names no commit of the dry repository/)
  assert.match(
    switched,
    /^ {2}color: blue\n {2}replicas: "3"\nkind: ConfigMap\nmetadata:\n {2}name: blog-settings$/m,
  )
})
