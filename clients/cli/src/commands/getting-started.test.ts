import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGuide } from '../testing/guide-fixture.ts'

test('the commands of Getting started do what it says, in their order', async () => {
  await using guide = await startGuide('getting-started.md', '/tmp/wadi-start')
  const outputs: string[] = []
  for (const block of guide.blocks) {
    const { code, output } = await guide.run(block)
    assert.equal(code, block.includes('app diff') ? 1 : 0, `${block}${output}`)
    outputs.push(output)
  }
  const all = outputs.join('')
  assert.match(all, /^Hydration: +Hydrated$/m)
  assert.match(all, /^\+ +- image: registry\.example\.com\/guestbook:1\.1$/m)
  assert.match(all, /^guestbook: manifest\.yaml is reproduced byte for byte from /m)
})
