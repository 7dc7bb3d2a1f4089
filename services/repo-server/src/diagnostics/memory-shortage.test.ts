import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryShortage } from './memory-shortage.ts'

const mebibyte = 2 ** 20
const chart = { renderMemory: 1024 * mebibyte, parallelism: 2 }

test('a limit that all renders at a time fit into is no finding, nor is none', () => {
  for (const limit of [undefined, 2304, 4096])
    assert.equal(memoryShortage(chart, limit && limit * mebibyte), undefined, `${limit}`)
})

test('a limit that is too low is named with the number to set', () => {
  const found = memoryShortage(chart, 1024 * mebibyte)
  assert.match(
    found?.message ?? '',
    /^the memory limit of the container, 1024Mi, is too low: 2 renders at a time /,
  )
  assert.equal(
    found?.remedy,
    'set the limit to 2304Mi at least (repoServer.resources.limits.memory of the chart, small.resources.limits.memory in the shape small), or WADI_RENDER_MEMORY to 384MiB',
  )
  assert.doesNotMatch(memoryShortage(chart, 200 * mebibyte)?.remedy ?? '', /WADI_RENDER_MEMORY/)
})
