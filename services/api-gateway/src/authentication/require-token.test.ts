import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, createClient, createRouterTransport } from '@connectrpc/connect'
import { Health, HealthCheckResponse_ServingStatus } from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { serverInterceptors } from '@wadi/rpc/interceptors.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { requireToken } from './require-token.ts'

const token = 'wadi_token-of-the-administrator-in-tests'

function serve() {
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const interceptors = serverInterceptors({
    logger: createLogger({ service: 'api-gateway', level: 'debug', format: 'json', write }),
    metrics: createMetrics('api-gateway'),
    timeouts: { defaultTimeoutMs: 10_000, maxTimeoutMs: 10_000 },
    authentication: [requireToken(token)],
  })
  let calls = 0
  const transport = createRouterTransport(
    (router) => {
      router.service(VersionService, {
        getVersion: () => {
          calls++
          return { version: 'v1' }
        },
      })
      router.service(Health, { check: () => ({ status: HealthCheckResponse_ServingStatus.SERVING }) })
    },
    { router: { interceptors } },
  )
  return {
    version: createClient(VersionService, transport),
    health: createClient(Health, transport),
    lines,
    handled: () => calls,
  }
}

test('the token is taken as bearer, in any case of the word, and in the metadata key of argocd', async () => {
  const { version } = serve()
  const accepted: Record<string, string>[] = [
    { authorization: `Bearer ${token}` },
    { Authorization: `bearer ${token}` },
    { token },
  ]
  for (const headers of accepted) {
    assert.equal((await version.getVersion({}, { headers })).version, 'v1')
  }
})

test('a call without a token is told how to get one and does not reach the handler', async () => {
  const { version, handled } = serve()
  const refused: Record<string, string>[] = [
    {},
    { authorization: '' },
    { authorization: 'Bearer ' },
    { authorization: token },
    { authorization: `Basic ${Buffer.from(`admin:${token}`).toString('base64')}` },
    { cookie: `token=${token}` },
    { token: '' },
  ]
  for (const headers of refused) {
    await assert.rejects(version.getVersion({}, { headers }), {
      code: Code.Unauthenticated,
      rawMessage: 'no token: sign in or set WADI_AUTH_TOKEN',
    })
  }
  assert.equal(handled(), 0)
})

test('any other token is refused, whatever its length or likeness, and is not logged', async () => {
  const { version, handled, lines } = serve()
  const wrong = [
    token.slice(0, -1),
    `${token}x`,
    token.toUpperCase(),
    `${token.slice(0, -1)}S`,
    'x',
    '\u00e9',
  ]
  for (const given of wrong) {
    const refused = { code: Code.Unauthenticated, rawMessage: 'the token is not valid here' }
    await assert.rejects(version.getVersion({}, { headers: { authorization: `Bearer ${given}` } }), refused)
    await assert.rejects(version.getVersion({}, { headers: { token: given } }), refused)
  }
  assert.equal(handled(), 0)
  assert.equal(lines.length, 2 * wrong.length)
  assert.ok(!lines.join('').includes(token.slice(0, -1)))
})

test('a wrong bearer token is not outweighed by a right one in the metadata', async () => {
  const { version } = serve()
  const headers = { authorization: 'Bearer wrong', token }
  await assert.rejects(version.getVersion({}, { headers }), { code: Code.Unauthenticated })
})

test('health checks need no token', async () => {
  const { health } = serve()
  assert.equal((await health.check({})).status, HealthCheckResponse_ServingStatus.SERVING)
})
