// Own process: it measures the memory of its process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PackedContent, PackedContents } from './packed-content.ts'

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

test('contents are what they were in whatever order they are read, while others come', () => {
  const sizes = [0, 1, 100, 70_000, 70_000, 131_072, 131_073, 300_000, 5, 131_072, 1]
  const texts = sizes.map((size, n) => String.fromCharCode(97 + n).repeat(size))
  const all = new PackedContents()
  const contents = texts.map((text) => new PackedContent(text, all))
  const order = [...contents.keys(), ...contents.keys().toArray().toReversed(), 3, 8, 3]
  for (const index of order) {
    assert.equal(contents[index]?.toString(), texts[index])
    assert.equal(new PackedContent(`new ${index}`, all).toString(), `new ${index}`)
  }
})

test('thousands of manifests that wait take a fraction of their bytes', async () => {
  const one = (n: number) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c${n}\ndata:\n  key: value\n`.repeat(100)
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const before = process.memoryUsage().arrayBuffers
  const all = new PackedContents()
  const waiting = Array.from({ length: 2000 }, (_, n) => new PackedContent(one(n), all))
  // Streams of zlib are closed in a later turn.
  for (let turn = 0; turn < 5; turn++) {
    await setImmediate()
    collect()
  }
  const grown = process.memoryUsage().arrayBuffers - before
  assert.ok(grown < (waiting.length * one(0).length) / 2, `${grown} bytes`)
})
