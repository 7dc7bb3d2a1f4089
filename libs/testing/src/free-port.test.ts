import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort, onFreePorts } from './free-port.ts'

test('a port is given once, also while nobody listens on it yet', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, freePort))
  assert.equal(new Set(ports).size, ports.length)
})

test('what finds its port taken is started on others, and what fails for another reason is not', async () => {
  await using taken = createServer()
  const tried: number[] = []
  const started = await onFreePorts(2, async ([port = 0, other = 0]) => {
    tried.push(port)
    if (tried.length === 1) await once(taken.listen(other, '127.0.0.1'), 'listening')
    if (tried.length === 1) throw new Error('address already in use')
    return port
  })
  assert.equal(tried.length, 2)
  assert.equal(started, tried[1])
  let starts = 0
  const start = async () => {
    starts++
    throw new Error('out of order')
  }
  await assert.rejects(onFreePorts(1, start), /out of order/)
  assert.equal(starts, 1)
})
