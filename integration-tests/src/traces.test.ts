import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReceivedSpan, startOtlpReceiver } from '@wadi/testing/otlp-receiver.ts'
import { gitUser, startMeshFixture } from './mesh-fixture.ts'

test('one hydration is one trace over the services, with their steps, calls, programs and remotes, and no secret', async () => {
  await using receiver = await startOtlpReceiver()
  {
    await using mesh = await startMeshFixture({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20otlp-secret',
      },
    })
    await mesh.fixture.hydratedOnce('traced')
  }
  const committed = receiver.spans.find(({ name, hasFailed }) => name === 'commit' && !hasFailed)
  const trace = receiver.spans.filter(({ traceId }) => traceId === committed?.traceId)
  const names = new Set(trace.map(({ service, name }) => `${service}: ${name}`))
  for (const name of [
    'hydrator: hydrate branch',
    'hydrator: observe',
    'hydrator: validate',
    'hydrator: inspect',
    'hydrator: render',
    'hydrator: wadi.repo_server.v1.RepoServerService/RenderSources',
    'repo-server: wadi.repo_server.v1.RepoServerService/RenderSources',
    'commit-server: git fast-import',
    'commit-server: remote push',
  ]) {
    assert.ok(names.has(name), `${name} is not among ${[...names].join(', ')}`)
  }
  const [root, ...others] = trace.filter(({ parentSpanId }) => parentSpanId === '')
  assert.deepEqual([root?.name, others], ['hydrate branch', []])
  const known = new Set(trace.map(({ spanId }) => spanId))
  assert.deepEqual(
    trace.filter((span) => span !== root && !known.has(span.parentSpanId)),
    [],
  )
  const push = trace.find(({ name }) => name === 'remote push')
  assert.deepEqual(ancestors(trace, push).slice(-3), ['commit', 'hydrateGroups', 'hydrate branch'])
  const sent = receiver.requests.map(({ body }) => body).join()
  assert.equal(sent.includes(gitUser.password) || sent.includes('otlp-secret'), false)
  assert.equal(receiver.requests[0]?.headers.authorization, 'Bearer otlp-secret')
})

function ancestors(trace: readonly ReceivedSpan[], span: ReceivedSpan | undefined): string[] {
  const parent = trace.find(({ spanId }) => spanId === span?.parentSpanId)
  return parent === undefined ? [] : [parent.name, ...ancestors(trace, parent)]
}
