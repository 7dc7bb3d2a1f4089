import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startUsersMesh } from '../access/users-fixture.ts'
import { makeCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'

test(
  'a provider whose certificate is not trusted receives nothing and is not believed',
  { skip: noOpenssl },
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-provider-'))
    const files = makeCertificate(directory.path)
    const requests: string[] = []
    const certificate = await readFile(files.certificate, 'utf8')
    const server = createServer(
      { cert: certificate, key: await readFile(files.key) },
      (request, response) => {
        requests.push(request.url ?? '')
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{}')
      },
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    await using mesh = await startUsersMesh()
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = Math.floor(Date.now() / 1_000)
    const claims = { iss: issuer, aud: 'wadi', sub: 'eve', iat: now, exp: now + 600 }
    const token = `${encoded({ alg: 'RS256', kid: 'a' })}.${encoded(claims)}.c2lnbmVk`
    const refused = async (rootCA: string): Promise<void> => {
      await mesh.applySettings({
        'oidc.config': JSON.stringify({ name: 'x', issuer, clientID: 'wadi', rootCA }),
      })
      await assert.rejects(mesh.connect(token).applications.listApplications({}))
    }
    try {
      await refused('')
      assert.deepEqual(requests, [])
      // The same provider is asked once its authority is named, so that the error was one of trust.
      const deadline = performance.now() + 60_000
      while (requests.length === 0 && performance.now() < deadline) await refused(certificate)
      assert.deepEqual(requests.slice(0, 1), ['/.well-known/openid-configuration'])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
)
