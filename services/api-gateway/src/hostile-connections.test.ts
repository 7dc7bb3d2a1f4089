import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { callHead, openAndReset, openWire } from '@wadi/rpc/connections/http2-wire-fixture.ts'
import { startGatewayProcess } from './gateway-process-fixture.ts'

const head = callHead('/wadi.api_gateway.v1.ApplicationService/ListApplications')

/** Opens and resets so many calls, over a new connection whenever one is ended. */
async function openAndResetCalls(port: number, count: number): Promise<void> {
  let opened = 0
  while (opened < count) {
    using wire = await openWire(port)
    for (let index = 0, isOpen = true; isOpen && opened < count; opened += 100, index += 100) {
      const calls = Array.from({ length: 100 }, (_, offset) => openAndReset(index + offset, head))
      isOpen = await wire.send(Buffer.concat(calls))
    }
  }
}

test('somebody who opens and resets 30,000 calls keeps nobody else waiting', async () => {
  await using gateway = await startGatewayProcess()
  const session = http2.connect(gateway.baseUrl)
  const waits: number[] = []
  const askHealth = async () => {
    const startedAt = performance.now()
    const request = session.request({ ':path': '/healthz' }).resume()
    const [headers] = (await once(request, 'response')) as [Record<string, unknown>]
    assert.equal(headers[':status'], 200)
    waits.push(performance.now() - startedAt)
  }
  await askHealth()
  const over = new AbortController()
  const begunAt = performance.now()
  const attack = openAndResetCalls(Number(new URL(gateway.baseUrl).port), 30_000).finally(() => over.abort())
  while (!over.signal.aborted) {
    await askHealth()
    await nextTurn()
  }
  await attack
  await askHealth()
  session.close()
  // An answer that waits for the calls takes as long as they do.
  const slowest = Math.max(...waits)
  const most = Math.max(1_000, (performance.now() - begunAt) / 2)
  assert.ok(slowest < most, `the slowest answer took ${slowest} ms`)
})
