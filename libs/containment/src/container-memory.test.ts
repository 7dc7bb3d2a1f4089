import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runMemory } from './container-memory.ts'

const [mebibyte, setting] = [2 ** 20, 'WADI_RENDER_MEMORY']

test('a run may take what the setting says, where the container leaves as much', () => {
  for (const limit of [undefined, 2 ** 30 + 256 * mebibyte, 2 ** 40]) {
    const memory = runMemory(2 ** 30, setting, limit)
    assert.deepEqual(memory, {
      bytes: 2 ** 30,
      boundBy: setting,
      remedy: 'set WADI_RENDER_MEMORY to allow more',
    })
  }
})

test('a container with less leaves a run what its service does not take, and half at least', () => {
  const bytes = (limit: number) => runMemory(2 ** 30, setting, limit).bytes / mebibyte
  assert.deepEqual(
    [1024, 640, 512, 200].map((limit) => bytes(limit * mebibyte)),
    [768, 384, 256, 100],
  )
  assert.match(
    runMemory(2 ** 30, setting, 2 ** 30).remedy,
    /^raise the memory limit of the container, 1 GiB, /,
  )
})
