import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProviderPush, providerPushes } from '@wadi/api-gateway/webhooks/webhook-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

const malformed = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"repository":null}',
  '{"repository":{"links":{"clone":[null,{"href":7}]}}}',
  '{"resource":{"repository":[]},"eventType":"git.push"}',
  '{"__proto__":{"repository":{"clone_url":"https://x.example/a"}}}',
  `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  '{"repository":{"clone_url":"javascript:alert(1)"},"project":{"git_http_url":"--upload-pack=x"}}',
  'payload=%7B%22repository%22%3A7%7D',
]

async function post(address: string, headers: Record<string, string>, body: string) {
  const answer = await fetch(`${address}/api/webhook`, { method: 'POST', headers, body })
  return { status: answer.status, text: await answer.text() }
}

test('no payload of any provider does harm, and none is accepted without its secret', async () => {
  await using mesh = await startMeshFixture({ environment: { WADI_CALLS_PER_ADDRESS: '0' } })
  const { address } = mesh
  const apply = (secrets: ProviderPush['secrets']) =>
    mesh.fixture.gateway.resources.applyResource({
      resource: {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'argocd-secret' },
        stringData: secrets,
      },
    })
  for (const push of providerPushes) {
    await apply(push.secrets)
    const body = JSON.stringify(push.payload)
    assert.equal((await post(address, push.headers(body, false), body)).status, 401, push.name)
    assert.match(
      (await post(address, push.headers(body), body)).text,
      /^queued 0 hydrated branches/,
      push.name,
    )
    assert.match((await post(address, push.headers(body), body)).text, /^already received/, push.name)
    for (const text of malformed) {
      assert.equal((await post(address, push.headers(text, false), text)).status, 401, push.name)
      const { status } = await post(address, push.headers(text), text)
      assert.ok(status === 400 || status === 200, `${push.name}: ${status} for ${text.slice(0, 60)}`)
    }
  }
  const large = 'x'.repeat(51 * 1024 * 1024)
  const [github] = providerPushes
  assert.ok(github)
  await apply(github.secrets)
  assert.equal((await post(address, github.headers(large), large)).status, 413)
  assert.equal((await fetch(`${address}/healthz`)).status, 200)
})
