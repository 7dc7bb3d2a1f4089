import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { listen } from '../testing/http-listener-fixture.ts'
import { readJson } from './read-json.ts'
import type { ServerAccess } from './server-access.ts'

const rpc = 'wadi.api_gateway.v1.ApplicationService/ListApplications'

function access(url: string, renewals: string[][] = []): ServerAccess {
  return {
    url,
    headers: [
      ['x-team', 'a'],
      ['x-team', 'b'],
    ],
    token: {
      current: async () => 'secret',
      renew: async (carried, next) => void renewals.push([carried, next]),
    },
    tls: { rejectUnauthorized: true },
  }
}

const { signal } = new AbortController()

test('a read sends message, token and headers, and takes the next token of the session', async () => {
  const seen: unknown[] = []
  const renewals: string[][] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { authorization, 'x-team': team } = request.headers
    seen.push(request.method, request.url, authorization, team, JSON.parse(await text(request)))
    response.setHeader('renew-token', 'next').setHeader('content-encoding', 'gzip')
    response.end(gzipSync('{"applications": [{"metadata": {"name": "ä"}}]}'))
  }
  await using server = await listen((request, response) => void answer(request, response))
  assert.deepEqual(await readJson(access(server.url, renewals), rpc, { fields: ['a'] }, signal), {
    applications: [{ metadata: { name: 'ä' } }],
  })
  assert.deepEqual(seen, ['POST', `/${rpc}`, 'Bearer secret', 'a, b', { fields: ['a'] }])
  assert.deepEqual(renewals, [['secret', 'next']])
})

const failures: Record<string, (response: ServerResponse) => void> = {
  'an error': (response) => response.writeHead(403).end('{"code":"permission_denied"}'),
  'a page of a proxy': (response) => response.end('<html>'),
  'what is no object': (response) => response.end('[]'),
  'a broken connection': (response) => response.destroy(),
  'broken compression': (response) => response.setHeader('content-encoding', 'gzip').end('{}'),
}
for (const [what, answer] of Object.entries(failures)) {
  test(`${what} is left to the client`, async () => {
    await using server = await listen((_request, response) => answer(response))
    assert.equal(await readJson(access(server.url), rpc, {}, signal), undefined)
  })
}

test('a server that is not there is left to the client, and an interrupted read is not', async () => {
  const { url, ...server } = await listen(() => undefined)
  const interruption = new AbortController()
  const reading = readJson(access(url), rpc, {}, interruption.signal)
  interruption.abort()
  await assert.rejects(reading, { name: 'AbortError' })
  await server[Symbol.asyncDispose]()
  assert.equal(await readJson(access(url), rpc, {}, signal), undefined)
})
