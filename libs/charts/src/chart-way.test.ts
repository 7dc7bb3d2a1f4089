import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { GitCredentials } from '@wadi/git/remote/credentials.ts'
import { startConnectProxy } from '@wadi/testing/connect-proxy.ts'
import { makeSignedCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { type WebAccess, webRequest } from './web-request.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const host = 'charts.internal'
const login = 'proxy-user:hunter2'

function access(credentials: GitCredentials): WebAccess {
  const policy = { allowFile: false, allowPlainHttp: 'loopback' } as const
  return { policy, advice: 'sign in', credentials, addressesOf: () => Promise.resolve([]) }
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Error, 'it fails')
  assert.doesNotMatch(`${error.message}\n${error.stack}\n${String(error.cause)}`, /hunter2|cHJveHk/)
  return error
}

test(
  'charts are reached through their proxy, with their own authority, also where a redirect leads',
  { skip: noOpenssl },
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-chart-way-'))
    const { authority, certificate, key } = makeSignedCertificate(directory.path, host)
    const tls = { cert: await readFile(certificate), key: await readFile(key) }
    await using server = createServer(tls, (request, response) => {
      if (request.url === '/moved')
        response.writeHead(302, { location: `https://other.internal/index.yaml` }).end()
      else response.end('entries: {}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await using proxy = await startConnectProxy((server.address() as AddressInfo).port, login)
    const tlsCaCertificate = await readFile(authority, 'utf8')
    const own = { tlsCaCertificate, proxy: `http://${login}@${proxy.host}` }
    const get = (path: string, credentials: GitCredentials): Promise<string> =>
      webRequest(
        access(credentials),
        { url: `https://${host}/${path}`, maxBytes: 100 },
        AbortSignal.timeout(hangLimitMs),
      ).then(({ body }) => body.toString())
    assert.equal(await get('index.yaml', own), 'entries: {}')
    const { tlsCaCertificate: _authority, ...unknown } = own
    const untrusted = await failureOf(get('index.yaml', unknown))
    assert.match(
      untrusted.message,
      /^TLS failed for https:\/\/charts\.internal\/index\.yaml: .*wadi cert add-tls charts\.internal --from FILE.*argocd-tls-certs-cm/,
    )
    assert.doesNotMatch(untrusted.message, /use-system-ca/)
    await failureOf(get('moved', own))
    assert.deepEqual(proxy.requests.at(-1), 'other.internal:443 200')
    const wrong = await failureOf(
      get('index.yaml', { ...own, proxy: `http://proxy-user:hunter22@${proxy.host}` }),
    )
    assert.match(
      wrong.message,
      /^https:\/\/charts\.internal\/index\.yaml cannot be reached: its proxy answers 407; correct proxy/,
    )
    proxy.refusal = 403
    assert.match(
      (await failureOf(get('index.yaml', { ...own, proxy: `http://${login}@${proxy.host}/` }))).message,
      /answers 403/,
    )
    const socks = await failureOf(get('index.yaml', { ...own, proxy: `socks5://${login}@${proxy.host}` }))
    assert.match(socks.message, /the proxy socks5:\/\/127\.0\.0\.1:\d+ cannot be used/)
    await proxy[Symbol.asyncDispose]()
    const away = await failureOf(get('index.yaml', { ...own, proxy: `http://${login}@${proxy.host}/x` }))
    assert.match(away.message, /cannot be reached: .* through the proxy http:\/\/127\.0\.0\.1:\d+$/)
    const before = proxy.requests.length
    await failureOf(get('index.yaml', { ...own, noProxy: host }))
    assert.equal(proxy.requests.length, before)
  },
)
