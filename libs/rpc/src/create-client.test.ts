import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import {
  CanceledError,
  ConflictError,
  DeadlineExceededError,
  FailedPreconditionError,
  NotFoundError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { HealthCheckResponse_ServingStatus as ServingStatus } from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { createTestClient, startTestServer, temporaryDirectory } from './server-fixture.ts'
import { currentTraceId } from '@wadi/telemetry/trace.ts'
import { runInTrace } from '@wadi/telemetry/trace.ts'

async function unusedAddress(): Promise<string> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}

test('a call over TCP and over a unix socket is answered', async () => {
  await using directory = await temporaryDirectory()
  for (const listen of ['127.0.0.1:0', `unix:${path.join(directory.path, 'rpc.sock')}`]) {
    await using server = await startTestServer({ listen })
    await using client = await createTestClient([server.address])
    const { statuses } = await client.list({})
    assert.equal(statuses['']?.status, ServingStatus.SERVING)
  }
})

test('domain errors of unary calls and of streams in their middle arrive as the same class', async () => {
  await using server = await startTestServer({
    rpcs: {
      list: () => {
        throw new FailedPreconditionError('branch is protected')
      },
      async *watch() {
        yield { status: ServingStatus.SERVING }
        throw new ConflictError('somebody was faster')
      },
    },
  })
  await using client = await createTestClient([server.address])
  await assert.rejects(client.list({}), {
    name: 'FailedPreconditionError',
    message: 'branch is protected',
  })
  const seen: unknown[] = []
  await assert.rejects(
    async () => {
      for await (const { status } of client.watch({})) seen.push(status)
    },
    { name: 'ConflictError', message: 'somebody was faster', retryable: true },
  )
  assert.deepEqual(seen, [ServingStatus.SERVING])
})

test('an unknown error reaches the caller as "internal error" and the log with its cause', async () => {
  await using server = await startTestServer({
    rpcs: {
      list: () => {
        throw new Error('password file /etc/x is unreadable')
      },
    },
  })
  await using client = await createTestClient([server.address])
  await assert.rejects(client.list({}), { name: 'RemoteError', message: 'internal error' })
  const line = server.lines.find(({ level }) => level === 'error')
  assert.equal(line?.['method'], 'grpc.health.v1.Health/List')
  assert.match(JSON.stringify(line?.['err']), /password file/)
})

test('the deadline of the caller ends the call on both sides', async () => {
  const aborted = Promise.withResolvers<unknown>()
  const started = new Set<unknown>()
  await using server = await startTestServer({
    rpcs: {
      list: (_, context) => {
        started.add(context)
        context.signal.addEventListener('abort', () => aborted.resolve(context.signal.reason))
        return new Promise(() => {})
      },
    },
  })
  await using client = await createTestClient([server.address])
  // On a busy machine a call may end before it is sent.
  for (let timeoutMs = 100; started.size === 0; timeoutMs *= 2) {
    await assert.rejects(client.list({}, { timeoutMs }), DeadlineExceededError)
  }
  assert.notEqual(await aborted.promise, undefined)
})

test('a handler that ignores its signal is cut off at the limit of the server', async () => {
  await using server = await startTestServer({
    limits: { defaultTimeoutMs: 60, maxTimeoutMs: 60 },
    rpcs: { list: () => new Promise(() => {}) },
  })
  await using client = await createTestClient([server.address])
  await assert.rejects(client.list({}), {
    name: 'DeadlineExceededError',
    message: 'the server allows 60 ms for this call',
  })
})

test('a canceled call and a dead server have different errors', async () => {
  const started = Promise.withResolvers<void>()
  await using server = await startTestServer({
    rpcs: {
      list: () => {
        started.resolve()
        return new Promise(() => {})
      },
    },
  })
  await using client = await createTestClient([server.address])
  const controller = new AbortController()
  const call = client.list({}, { signal: controller.signal })
  await started.promise
  controller.abort()
  await assert.rejects(call, CanceledError)
})

test('messages over the limit are refused on the side that sends and on the side that receives', async () => {
  await using server = await startTestServer({ limits: { maxMessageBytes: 1_000 } })
  await using client = await createTestClient([server.address])
  await using careful = await createTestClient([server.address], { limits: { maxMessageBytes: 1_000 } })
  const service = 'x'.repeat(2_000)
  await assert.rejects(client.check({ service }), ResourceExhaustedError)
  await assert.rejects(careful.check({ service }), ResourceExhaustedError)
})

test('calls go round over the endpoints', async () => {
  const calls: string[] = []
  const rpcs = (name: string) => ({
    list: () => {
      calls.push(name)
      return {}
    },
  })
  await using first = await startTestServer({ rpcs: rpcs('first') })
  await using second = await startTestServer({ rpcs: rpcs('second') })
  await using client = await createTestClient([first.address, second.address])
  for (let call = 0; call < 4; call++) await client.list({})
  assert.deepEqual(calls, ['first', 'second', 'first', 'second'])
})

test('every call moves on from an endpoint that it cannot connect to', async () => {
  await using server = await startTestServer()
  await using client = await createTestClient([await unusedAddress(), server.address])
  assert.equal((await client.check({})).status, ServingStatus.SERVING)
  assert.equal((await client.list({})).statuses['']?.status, ServingStatus.SERVING)
  await using other = await createTestClient([await unusedAddress(), server.address])
  assert.equal((await other.list({})).statuses['']?.status, ServingStatus.SERVING)
})

test('a call that was sent is sent again only when it is free of side effects', async () => {
  const calls: string[] = []
  const unavailable = (name: string) => () => {
    calls.push(name)
    throw new UnavailableError('the git server is away')
  }
  await using server = await startTestServer({
    rpcs: { check: unavailable('check'), list: unavailable('list') },
  })
  await using client = await createTestClient([server.address])
  await assert.rejects(client.list({}), UnavailableError)
  assert.deepEqual(calls, ['list'])
  await assert.rejects(client.check({}), UnavailableError)
  assert.equal(calls.length, 5)
})

test('a wrong answer is not tried again', async () => {
  let calls = 0
  await using server = await startTestServer({
    rpcs: {
      check: () => {
        calls++
        throw new NotFoundError('no such service')
      },
    },
  })
  await using client = await createTestClient([server.address])
  await assert.rejects(client.check({}), { name: 'NotFoundError', message: 'no such service' })
  assert.equal(calls, 1)
})

test('the trace of the caller is the trace of the handler and of its streams', async () => {
  const traces: unknown[] = []
  await using server = await startTestServer({
    rpcs: {
      list: () => {
        traces.push(currentTraceId())
        return {}
      },
      async *watch() {
        yield { status: ServingStatus.SERVING }
        traces.push(currentTraceId())
      },
    },
  })
  await using client = await createTestClient([server.address])
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await runInTrace(`00-${traceId}-00f067aa0ba902b7-01`, async () => {
    await client.list({})
    await Array.fromAsync(client.watch({}))
  })
  assert.deepEqual(traces, [traceId, traceId])
  const line = server.lines.find(({ method }) => method === 'grpc.health.v1.Health/List')
  assert.equal(line?.['traceId'], traceId)
})

test('a list of no endpoints is an input error', async () => {
  await assert.rejects(createTestClient([]), { name: 'InvalidInputError' })
})
