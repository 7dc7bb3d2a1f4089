// Own process: it measures the memory of its process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PackedContent } from './packed-content.ts'

for (const [name, text] of [
  ['no content', ''],
  ['a short one', 'a: ä\n'],
  ['a long one', 'a: ä\n'.repeat(10_000)],
] as const) {
  test(`${name} is what it was`, () => {
    const packed = new PackedContent(text)
    assert.equal(packed.toString(), text)
    assert.deepEqual(packed.bytes(), Buffer.from(text))
  })
}

test('thousands of manifests that wait take a fraction of their bytes', async () => {
  const one = (n: number) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c${n}\ndata:\n  key: value\n`.repeat(100)
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const before = process.memoryUsage().arrayBuffers
  const waiting = Array.from({ length: 2000 }, (_, n) => new PackedContent(one(n)))
  // Streams of zlib are closed in the next turn.
  await setImmediate()
  collect()
  const grown = process.memoryUsage().arrayBuffers - before
  assert.ok(grown < (waiting.length * one(0).length) / 2, `${grown} bytes`)
})
