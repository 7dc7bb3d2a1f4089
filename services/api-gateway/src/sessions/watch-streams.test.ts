import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, createClient, createRouterTransport, type Interceptor } from '@connectrpc/connect'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { sessionTokenKey, tokenVerifier } from '../authentication/authenticate.ts'
import { callerKey } from '../authentication/caller.ts'
import { sampleApplication } from '../gateway-fixture.ts'
import { watchApplications } from '../routes/watch-applications.ts'
import { toConnectError } from '@wadi/rpc/error-mapping.ts'
import { endSession } from './end-session.ts'
import { openSignInFixture, operatorToken } from './sign-in-fixture.ts'
import { watchStreams } from './watch-streams.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** Gives what is thrown its code, as the gateway's server does. */
async function* mappedMessages<Message>(messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  try {
    yield* messages
  } catch (error) {
    throw toConnectError(error)
  }
}

/** Watches of a gateway whose callers are who their tokens say; each gets one Application first. */
async function openWatches() {
  const fixture = await openSignInFixture()
  const { gateway, signIn } = fixture
  const { context } = gateway
  await context.store.create(sampleApplication('web'))
  const verify = tokenVerifier({ signIn, operatorToken })
  const authenticated: Interceptor = (next) => async (request) => {
    const token = request.header.get('token') ?? ''
    const { caller, token: ours } = await verify(token, request.signal)
    request.contextValues.set(callerKey, caller).set(sessionTokenKey, ours)
    return next(request)
  }
  const mapped: Interceptor = (next) => async (request) => {
    try {
      const response = await next(request)
      return response.stream ? { ...response, message: mappedMessages(response.message) } : response
    } catch (error) {
      throw toConnectError(error)
    }
  }
  const client = createClient(
    ApplicationService,
    createRouterTransport(
      (router) =>
        router.service(ApplicationService, {
          watchApplications: watchApplications(context, new AbortController().signal),
        }),
      { router: { interceptors: [mapped, authenticated, watchStreams(signIn)] } },
    ),
  )
  const end = new AbortController()
  return {
    ...fixture,
    verify,
    watch: async (token: string, left = end.signal) => {
      const signal = AbortSignal.any([end.signal, left, AbortSignal.timeout(hangLimitMs)])
      const options = { headers: { token }, signal }
      const messages = client.watchApplications({}, options)[Symbol.asyncIterator]()
      assert.equal((await messages.next()).value?.type, 'ADDED')
      return messages
    },
    async [Symbol.asyncDispose]() {
      end.abort()
      await fixture[Symbol.asyncDispose]()
    },
  }
}

test('a watch ends when its session is signed out, though it has nothing to deliver', async () => {
  await using fixture = await openWatches()
  const token = await fixture.sessionOf('admin')
  const watch = await fixture.watch(token)
  const ended = assert.rejects(watch.next(), {
    code: Code.Unauthenticated,
    rawMessage: 'invalid session: the session was signed out; sign in again',
  })
  await endSession(fixture.signIn, await fixture.verify(token, AbortSignal.timeout(hangLimitMs)))
  await ended
})

test('a watch ends when its account is disabled, and continues when its token has expired', async () => {
  await using fixture = await openWatches()
  const watch = await fixture.watch(await fixture.sessionOf('admin'))
  fixture.clock.aheadSeconds = 2 * 3600
  await fixture.gateway.context.store.create(sampleApplication('api'))
  assert.equal((await watch.next()).value?.type, 'ADDED')
  await fixture.configure({ 'admin.enabled': 'false' })
  await fixture.gateway.context.store.create(sampleApplication('late'))
  await assert.rejects(watch.next(), { code: Code.Unauthenticated, rawMessage: 'Account admin is disabled' })
})

test('an account has 50 streams at a time, and the token of the operator any number', async () => {
  await using fixture = await openWatches()
  const token = await fixture.sessionOf('admin')
  const left = new AbortController()
  await Promise.all(Array.from({ length: 50 }, () => fixture.watch(token, left.signal)))
  await assert.rejects(fixture.watch(token), { code: Code.ResourceExhausted })
  await fixture.watch(operatorToken)
  left.abort()
  const deadline = performance.now() + 10_000
  let isIn = false
  while (!isIn && performance.now() < deadline) {
    isIn = await fixture.watch(token).then(
      () => true,
      () => false,
    )
  }
  assert.ok(isIn)
})
