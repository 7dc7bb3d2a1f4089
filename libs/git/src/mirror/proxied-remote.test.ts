import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PermissionDeniedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { startConnectProxy } from '@wadi/testing/connect-proxy.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { makeSignedCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { openTestMirror } from './mirror-fixture.ts'

const host = 'git.internal'
const login = 'proxy-user:hunter2'

test(
  'a repository is reached through its proxy, which alone knows its host',
  { skip: noOpenssl },
  async () => {
    await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-proxied-'))
    const { authority, certificate, key } = makeSignedCertificate(scratch.path, host)
    const tls = { cert: await readFile(certificate), key: await readFile(key) }
    await using server = await startGitHttpServer({ tls })
    await server.createRepository('a.git')
    await using proxy = await startConnectProxy(Number(new URL(server.url).port), login)
    const url = `https://${host}/a.git`
    const tlsCaCertificate = await readFile(authority, 'utf8')
    const list = async (more: Parameters<typeof openTestMirror>[2]): Promise<number> => {
      const directory = join(scratch.path, String(Math.random()))
      await using mirror = await openTestMirror(directory, url, { tlsCaCertificate, ...more })
      return (await mirror.listRemote()).refs.size
    }
    for (const address of [`http://${login}@${proxy.host}`, `${login}@${proxy.host}`]) {
      assert.equal(await list({ proxy: address, noProxy: 'other.internal' }), 0)
    }
    assert.deepEqual(proxy.requests.at(-1), `${host}:443 200`)
    const refused = async (more: Parameters<typeof openTestMirror>[2]): Promise<Error> => {
      let found: unknown
      await list(more).catch((error: unknown) => (found = error))
      assert.ok(found instanceof Error, 'it is refused')
      assert.doesNotMatch(`${found.message}\n${found.stack}`, /hunter2|cHJveHk/)
      return found
    }
    const wrong = await refused({ proxy: `http://proxy-user:hunter22@${proxy.host}` })
    assert.ok(wrong instanceof PermissionDeniedError, wrong.message)
    assert.match(
      wrong.message,
      /git\.internal\/a\.git cannot be reached: its proxy answers 407; correct proxy in/,
    )
    proxy.refusal = 403
    const forbidden = await refused({ proxy: `http://${login}@${proxy.host}` })
    assert.match(forbidden.message, /its proxy answers 403/)
    proxy.refusal = 503
    assert.ok((await refused({ proxy: `http://${login}@${proxy.host}` })) instanceof UnavailableError)
    const before = proxy.requests.length
    await refused({ proxy: `http://${login}@${proxy.host}`, noProxy: '.internal' })
    assert.equal(proxy.requests.length, before, 'noProxy goes past the proxy')
  },
)
