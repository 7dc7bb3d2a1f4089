import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGuide } from '../testing/guide-fixture.ts'

test('the commands of Taking over branches do what it says, in their order', async () => {
  await using guide = await startGuide('taking-over-branches.md', '/tmp/wadi-shadow')
  const [, first = '', kept = '', , taken = '', changed = '', back = ''] = await guide.runAll(
    'export WADI_ALLOW_FILE_URLS=true\n',
  )
  assert.match(first, /^argocd\/shop +differs [^]*\{helm: \{releaseName: NAME\}\}/m)
  const row = kept.split('\n').find((line) => line.startsWith('Application ')) ?? 'none'
  assert.ok(guide.text.includes(`\n${row}\n`), row)
  assert.match(kept, /^argocd\/shop +identical /m)
  assert.doesNotMatch(taken, /^diff /m)
  assert.match(changed, /^-  replicas: "2"\n\+  replicas: "3"$/m)
  assert.equal(changed.match(/^[-+] /gm)?.length, 2)
  assert.match(back, /^\{"drySha":"[0-9a-f]{40}"[^]*^argocd\/shop +identical /m)
})
