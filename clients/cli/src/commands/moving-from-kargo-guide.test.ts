import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportedWith, startGuide } from '../testing/guide-fixture.ts'

test('the commands of Moving from Kargo do what it says, in their order', async () => {
  await using guide = await startGuide('moving-from-kargo.md', '/tmp/wadi-kargo')
  const [, compared = '', , promoted = ''] = await guide.runAll(await exportedWith('helm'))
  assert.match(compared, /^argocd\/web +equal +1 +stage\/prod /m)
  const change =
    /^- +- image: registry\.example\.com\/web:1\.4\.2\n\+ +- image: registry\.example\.com\/web:1\.4\.3$/m
  assert.match(promoted, change)
})
