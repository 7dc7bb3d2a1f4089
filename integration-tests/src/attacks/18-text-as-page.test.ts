import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

const script = '<script>alert(1)</script>'

test('text of unknown callers is never served as a page, and every answer forbids it', async () => {
  await using mesh = await startMeshFixture()
  const { fixture, address, token } = mesh
  const repository = await fixture.createRepository('page')
  const drySha = await repository.push(
    { 'page/a.yaml': configMap('a', script) },
    `${script} [x](javascript:alert)`,
  )
  await fixture.applyAndWait(drySha, { name: 'page', repoURL: repository.url, branch: 'environments/page' })
  const authorization = `Bearer ${token}`
  const json = { 'content-type': 'application/json', authorization }
  const rpc = (method: string, body: unknown) =>
    fetch(`${address}/wadi.api_gateway.v1.ApplicationService/${method}`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    })
  const answers = [
    await rpc('GetApplication', { name: 'page' }),
    await rpc('GetManifests', { name: 'page' }),
    await rpc('GetApplication', { name: script }),
    await rpc(script, {}),
    await fetch(`${address}/${script}?redirectTo=javascript:alert(1)`),
    await fetch(
      `${address}/auth/callback?error=${encodeURIComponent(script)}&state=${encodeURIComponent(script)}`,
    ),
    await fetch(`${address}/auth/login?return_url=${encodeURIComponent('https://elsewhere.example.com')}`, {
      redirect: 'manual',
    }),
    await fetch(`${address}/api/webhook`, {
      method: 'POST',
      headers: { 'x-github-event': script },
      body: script,
    }),
    await fetch(`${address}/healthz`),
  ]
  for (const answer of answers) {
    const { headers, url } = answer
    await answer.arrayBuffer()
    assert.doesNotMatch(headers.get('content-type') ?? '', /html|javascript|svg|xml/, url)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', url)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /default-src 'none'|frame-ancestors 'none'/,
      url,
    )
    assert.doesNotMatch(headers.get('location') ?? '', /javascript:|elsewhere/, url)
  }
})
