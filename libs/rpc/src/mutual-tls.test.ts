import assert from 'node:assert/strict'
import https from 'node:https'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { issue, makeAuthority, noOpenssl } from './certificate-fixture.ts'
import { createTestClient, startTestServer, temporaryDirectory } from './server-fixture.ts'
import { callingServiceKey, createServiceIdentity } from './service-identity.ts'

// An identity without a token, so that the certificate alone can speak for the caller.
const silent = {
  ...createServiceIdentity({ key: Buffer.alloc(32), service: 'hydrator' }),
  clientInterceptor: () => (next) => (request) => next(request),
} satisfies ReturnType<typeof createServiceIdentity>

test(
  'with TLS, a certificate of a known service is its identity and any other is none',
  { skip: noOpenssl },
  async () => {
    await using directory = await temporaryDirectory()
    makeAuthority(directory.path, 'authority')
    makeAuthority(directory.path, 'other-authority')
    const tls = issue(directory.path, 'authority', 'server', 'IP:127.0.0.1')
    const callers: unknown[] = []
    await using server = await startTestServer({
      tls,
      rpcs: {
        list: (_, { values }) => {
          callers.push(values.get(callingServiceKey))
          return {}
        },
      },
    })
    assert.match(server.address, /^https:/)

    const trusted = {
      byDns: 'DNS:wadi-hydrator',
      byUri: 'URI:spiffe://wadi-api-gateway',
      'wadi-commit-server': 'DNS:x',
    }
    for (const [name, subjectAltName] of Object.entries(trusted)) {
      const client = issue(directory.path, 'authority', name, subjectAltName)
      await using known = await createTestClient([server.address], { identity: silent, tls: client })
      await known.list({})
    }
    assert.deepEqual(callers, [
      { service: 'hydrator', proof: 'certificate' },
      { service: 'api-gateway', proof: 'certificate' },
      { service: 'commit-server', proof: 'certificate' },
    ])

    const refused = {
      'no certificate': { caFile: tls.caFile },
      'another authority': issue(directory.path, 'other-authority', 'foreign', 'DNS:wadi-hydrator'),
      'an unknown service': issue(directory.path, 'authority', 'unknown', 'DNS:wadi-anything'),
      'a name that only contains one': issue(directory.path, 'authority', 'longer', 'DNS:x-wadi-hydrator'),
    }
    for (const [name, client] of Object.entries(refused)) {
      await using unknown = await createTestClient([server.address], { identity: silent, tls: client })
      await assert.rejects(unknown.list({}), UnauthenticatedError, name)
      await using withToken = await createTestClient([server.address], { tls: client })
      await withToken.list({})
    }
  },
)

test(
  'over TLS, HTTP/1.1 is answered and a client that does not trust the server stops',
  { skip: noOpenssl },
  async () => {
    await using directory = await temporaryDirectory()
    makeAuthority(directory.path, 'authority')
    const tls = issue(directory.path, 'authority', 'server', 'IP:127.0.0.1')
    await using server = await startTestServer({ tls })
    const ca = await readFile(tls.caFile)
    const answer = await new Promise<string>((resolve, reject) => {
      https
        .get(`${server.address}/healthz`, { ca, agent: false }, (response) => resolve(text(response)))
        .on('error', reject)
    })
    assert.equal(answer, 'ok\n')
    await using client = await createTestClient([server.address])
    await assert.rejects(client.list({}), { name: 'FailedPreconditionError' })
  },
)

test(
  'a certificate that has expired is reported with the clocks that may be wrong',
  { skip: noOpenssl },
  async () => {
    await using directory = await temporaryDirectory()
    makeAuthority(directory.path, 'authority')
    const tls = issue(directory.path, 'authority', 'server', 'IP:127.0.0.1', -1)
    await using server = await startTestServer({ tls })
    await using client = await createTestClient([server.address], { tls: { caFile: tls.caFile } })
    await assert.rejects(client.list({}), {
      name: 'FailedPreconditionError',
      message:
        /certificate has expired; by the clock of this machine it has expired: renew it, or set the clocks/,
    })
  },
)
