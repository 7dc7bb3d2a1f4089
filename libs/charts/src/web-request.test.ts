import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { createNetworkPolicy } from '@wadi/git/network/network-policy.ts'
import { type ChartServer, startChartServer } from './chart-server-fixture.ts'
import { type WebAccess, webRequest } from './web-request.ts'

const { signal } = new AbortController()

const server = await usedByFile(startChartServer())
const other = await usedByFile(startChartServer())

function accessTo(...hosts: string[]): WebAccess {
  const network = createNetworkPolicy([])
  return {
    policy: { allowFile: false, allowPlainHttp: 'loopback' },
    advice: 'sign in',
    credentials: { username: 'ci', password: 'hunter2' },
    addressesOf: (remote) => network.addressesOf(remote, hosts.includes(remote.host)),
  }
}

const hostOf = ({ url }: ChartServer): string => new URL(url).host

test('an answer beyond its bound is cut off', async () => {
  server.answers.set('/charts/big', { status: 200, body: 'x'.repeat(2_000) })
  const request = { url: `${server.url}/big`, maxBytes: 1_000 }
  await assert.rejects(webRequest(accessTo(hostOf(server)), request, signal), {
    name: 'ResourceExhaustedError',
    message: `${server.url}/big is larger than 1000 bytes`,
  })
})

test('a redirect into a private network is refused in the words of any other address there', async () => {
  const location = `${other.url}/index.yaml`
  server.answers.set('/charts/away', { status: 302, headers: { location } })
  const request = { url: `${server.url}/away`, maxBytes: 1_000 }
  await assert.rejects(webRequest(accessTo(hostOf(server)), request, signal), {
    name: 'PermissionDeniedError',
    message: /has no public address/,
  })
  assert.deepEqual(other.requests, [])
})

test('a redirect to another host is followed without credentials, and not for ever', async () => {
  const access = accessTo(hostOf(server), hostOf(other))
  const answer = await webRequest(access, { url: `${server.url}/away`, maxBytes: 1_000 }, signal)
  assert.equal(answer.url, `${other.url}/index.yaml`)
  assert.deepEqual(other.requests, ['GET /charts/index.yaml 200'])
  assert.ok(server.requests.at(-1)?.endsWith('302 with credentials'))
  server.answers.set('/charts/loop', { status: 302, headers: { location: `${server.url}/loop` } })
  await assert.rejects(webRequest(access, { url: `${server.url}/loop`, maxBytes: 1_000 }, signal), {
    name: 'FailedPreconditionError',
  })
  server.answers.set('/charts/file', { status: 302, headers: { location: 'file:///etc/passwd' } })
  await assert.rejects(webRequest(access, { url: `${server.url}/file`, maxBytes: 1_000 }, signal))
})

test('what a server refuses, lacks or fails at has its own error, without credentials and query', async () => {
  for (const [status, name] of [
    [401, 'PermissionDeniedError'],
    [404, 'NotFoundError'],
    [429, 'UnavailableError'],
    [503, 'UnavailableError'],
    [418, 'FailedPreconditionError'],
  ] as const) {
    server.answers.set(`/charts/${status}?token=hunter2`, { status })
    const request = { url: `${server.url}/${status}?token=hunter2`, maxBytes: 1_000 }
    await assert.rejects(webRequest(accessTo(hostOf(server)), request, signal), (error: Error) => {
      assert.equal(error.name, name)
      assert.ok(!error.message.includes('hunter2'), error.message)
      return true
    })
  }
})
