import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  CanceledError,
  DomainError,
  FailedPreconditionError,
  PermissionDeniedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { openTestMirror } from '../mirror/mirror-fixture.ts'
import { openMirror } from '../mirror/mirror.ts'
import type { RemoteRefs } from '../mirror/remote-refs.ts'
import { AccessRefusedError, RepositoryMovedError, RepositoryNotFoundError } from '../process/git-failure.ts'
import type { GitCredentials } from '../remote/credentials.ts'
import { httpClients, startFixtureServer, startHostileServer } from './http-fixture.ts'
import type { HttpClient } from './http-client.ts'
import { pktLine } from './pkt-line.ts'

async function list(url: string, client: HttpClient, credentials?: GitCredentials): Promise<RemoteRefs> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-list-'))
  await using mirror = await openTestMirror(path.join(scratch.path, 'mirror'), url, credentials, client)
  return await mirror.listRemote()
}

/** Pushes a branch, a branch below another, and both kinds of tags. */
async function fill(directory: string): Promise<string> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-list-source-'))
  const repository = await createRepository(path.join(scratch.path, 'source'))
  const sha = await repository.commitFiles({ 'a.yaml': 'a: 1\n' }, 'First')
  await repository.git.raw(['tag', 'light'])
  await repository.git.raw(['tag', '-a', '-m', 'tag', 'annotated'])
  await repository.git.raw(['branch', 'environments/prod'])
  await repository.git.raw(['push', '-q', directory, '--all'])
  await repository.git.raw(['push', '-q', directory, '--tags'])
  return sha
}

for (const scheme of ['http', 'https'] as const) {
  test(
    `both clients list the same refs by ${scheme}`,
    { skip: scheme === 'https' && noOpenssl },
    async () => {
      await using fixture = await startFixtureServer(scheme)
      const { url, directory } = await fixture.server.createRepository('a.git')
      const sha = await fill(directory)
      const [own, git] = await Promise.all(
        httpClients.map((client) => list(url, client, fixture.credentials)),
      )
      assert.deepEqual(own, git)
      assert.equal(own?.head, 'main')
      assert.equal(own?.refs.get('refs/heads/environments/prod'), sha)
      assert.equal(own?.refs.get('refs/tags/annotated^{}'), sha)
      assert.notEqual(own?.refs.get('refs/tags/annotated'), sha)
    },
  )
}

test('a server that knows only the first protocol is listed too', async () => {
  await using server = await startGitHttpServer()
  const { url, directory } = await server.createRepository('a.git', { config: { 'protocol.version': '0' } })
  const sha = await fill(directory)
  const answer = async (): Promise<RemoteRefs> => list(url, 'built-in')
  assert.equal((await answer()).refs.get('refs/tags/annotated^{}'), sha)
})

test('once a server is known, a list is one request on a connection that stays open', async () => {
  await using fixture = await startFixtureServer('http')
  const { server, credentials } = fixture
  const { url, directory } = await server.createRepository('a.git')
  await fill(directory)
  await using mirror = await openTestMirror(path.join(server.root, 'mirror'), url, credentials)
  for (let times = 0; times < 3; times += 1) await mirror.listRemote()
  assert.deepEqual(
    server.requests.map(({ method }) => method),
    ['GET', 'POST', 'POST', 'POST'],
  )
  assert.equal(server.connections(), 1)
})

test('a server that closed the connection meanwhile is asked again', async () => {
  await using fixture = await startFixtureServer('http')
  const { server, credentials } = fixture
  const { url } = await server.createRepository('a.git')
  await using mirror = await openTestMirror(path.join(server.root, 'mirror'), url, credentials)
  await mirror.listRemote()
  server.closeConnections()
  assert.equal((await mirror.listRemote()).refs.size, 0)
})

test('a server that no longer speaks the protocol that it spoke before is asked what it speaks', async () => {
  let isOld = false
  await using server = await startGitHttpServer({
    onRequest: (request) => {
      if (isOld) delete request.headers['git-protocol']
      return undefined
    },
  })
  const { url, directory } = await server.createRepository('a.git')
  const sha = await fill(directory)
  await using mirror = await openTestMirror(path.join(server.root, 'mirror'), url)
  await mirror.listRemote()
  isOld = true
  assert.equal((await mirror.listRemote()).refs.get('refs/heads/main'), sha)
})

for (const client of httpClients) {
  test(`${client}: statuses become the same errors`, async () => {
    let status = 0
    const headers = { location: 'http://localhost:1/b.git/info/refs?service=git-upload-pack' }
    await using server = await startGitHttpServer({ onRequest: () => ({ status, headers }) })
    for (const [code, errorClass, text] of [
      [401, PermissionDeniedError, /^authentication failed for http:\/\/127.*a\.git: check/],
      [403, AccessRefusedError, /^authentication failed for/],
      [404, RepositoryNotFoundError, /^repository not found: http/],
      [410, RepositoryNotFoundError, /^repository not found: http/],
      [301, RepositoryMovedError, /^repository moved: .* redirect to localhost:1, which is not followed/],
      [307, RepositoryMovedError, /^repository moved: .* redirect to localhost:1, which is not followed/],
      [429, UnavailableError, /cannot be reached: .*returned error: 429/],
      [500, UnavailableError, /cannot be reached: .*returned error: 500/],
      [503, UnavailableError, /cannot be reached: .*returned error: 503/],
      [418, UnavailableError, /returned error: 418/],
    ] as const) {
      status = code
      await assert.rejects(list(`${server.url}/a.git`, client, { password: 's3cret' }), (error: unknown) => {
        assert.ok(error instanceof errorClass, `${code}: ${String(error)}`)
        assert.match(error.message, text)
        assert.ok(!error.message.includes('s3cret'))
        return true
      })
    }
  })

  test(`${client}: what is not a git server is an error in bounded time`, async () => {
    const header = 'HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\n'
    const endings: Record<string, (write: (text: string | Buffer) => void) => void> = {
      garbage: (write) => write('no protocol at all\r\n\r\n'),
      'an endless length': (write) => write(`${header}Content-Length: 99999999\r\n\r\n001e# service`),
      'bad lengths': (write) => write(`${header}\r\nzzzz`),
      'no compression': (write) => write(`${header}Content-Encoding: gzip\r\n\r\n0000`),
      nothing: () => undefined,
    }
    for (const [name, write] of Object.entries(endings)) {
      await using server = await startHostileServer((socket) => {
        socket.once('data', () => {
          write((text) => socket.write(text))
          socket.end()
        })
      })
      await assert.rejects(list(server.url, client), UnavailableError, name)
    }
  })
}

test('a page for browsers is not taken for an empty repository', async () => {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  await using server = await startGitHttpServer({
    onRequest: () => ({ status: 200, headers, body: '<html>Sign in</html>' }),
  })
  await assert.rejects(list(`${server.url}/a.git`, 'built-in'), {
    name: 'UnavailableError',
    message: `${server.url}/a.git cannot be reached: it answers with a page for browsers and not as a git server`,
  })
})

test('a list that is sent compressed is read', async () => {
  const body = [
    pktLine('# service=git-upload-pack\n'),
    '0000',
    pktLine(`${'1'.repeat(40)} refs/heads/main\0symref=HEAD:refs/heads/main\n`),
    '0000',
  ].join('')
  await using server = await startHostileServer((socket) => {
    socket.once('data', () => {
      const type = 'application/x-git-upload-pack-advertisement'
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Encoding: gzip\r\n\r\n`)
      socket.end(gzipSync(body))
    })
  })
  assert.deepEqual(await list(server.url, 'built-in'), {
    head: 'main',
    refs: new Map([['refs/heads/main', '1'.repeat(40)]]),
  })
})

test('a transfer that nearly stands still is over after a minute', async ({ mock }) => {
  const asked = Promise.withResolvers<void>()
  await using server = await startHostileServer((socket) => socket.once('data', () => asked.resolve()))
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-list-'))
  await using mirror = await openTestMirror(path.join(scratch.path, 'mirror'), server.url)
  mock.timers.enable({ apis: ['setInterval'] })
  const listed = mirror.listRemote()
  const rejected = assert.rejects(listed, {
    name: 'UnavailableError',
    message: /cannot be reached: less than 100 bytes a second for 60 s/,
  })
  await asked.promise
  mock.timers.tick(60_000)
  await rejected
})

test('a caller who gives up ends the request', async () => {
  const asked = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  await using server = await startHostileServer((socket) => {
    socket.once('data', () => asked.resolve())
    socket.once('close', () => closed.resolve())
  })
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-list-'))
  await using mirror = await openTestMirror(path.join(scratch.path, 'mirror'), server.url)
  const controller = new AbortController()
  const rejected = assert.rejects(mirror.listRemote(controller.signal), CanceledError)
  await asked.promise
  controller.abort()
  await rejected
  await closed.promise
})

for (const client of httpClients) {
  test(`${client}: certificates are checked as the credentials say`, { skip: noOpenssl }, async () => {
    await using fixture = await startFixtureServer('https')
    const { server, credentials } = fixture
    const { url } = await server.createRepository('a.git')
    const login = { username: 'bot', password: 's3cret' }
    await assert.rejects(list(url, client, login), (error: unknown) => {
      assert.ok(error instanceof FailedPreconditionError, String(error))
      assert.match(
        error.message,
        /^TLS failed for https:.*; if its certificate is of an authority of your own, trust that one with "wadi cert add-tls \S+ --from FILE" or in the ConfigMap/,
      )
      assert.doesNotMatch(error.message, /use-system-ca/)
      return true
    })
    const broken = { ...login, tlsCaCertificate: 'no certificate' }
    await assert.rejects(list(url, client, broken), FailedPreconditionError)
    assert.equal((await list(url, client, { ...login, insecureSkipTlsVerify: true })).refs.size, 0)
    assert.equal((await list(url, client, credentials)).refs.size, 0)
    // What was trusted for one is not for another, although the connection is open.
    await assert.rejects(list(url, client, login), FailedPreconditionError)
  })

  test(`${client}: the addresses that were checked are the ones that are used`, async () => {
    await using server = await startGitHttpServer()
    await server.createRepository('a.git')
    await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-list-'))
    const { port } = new URL(server.url)
    let addresses = ['127.0.0.1']
    await using mirror = await openMirror({
      directory: path.join(scratch.path, 'mirror'),
      url: `http://git.invalid:${port}/a.git`,
      policy: { allowFile: false, allowPlainHttp: 'always' },
      credentials: async () => undefined,
      addressesOf: async () => addresses,
      httpClient: client,
    })
    assert.equal((await mirror.listRemote()).refs.size, 0)
    assert.equal(server.requests[0]?.headers.host, `git.invalid:${port}`)
    addresses = ['127.0.0.9']
    const before = server.requests.length
    await mirror.listRemote().catch(() => undefined)
    assert.equal(server.requests.length, before)
  })

  test(`${client}: a server that demands a certificate gets it`, { skip: noOpenssl }, async () => {
    await using fixture = await startFixtureServer('https', { showCertificate: true })
    const { url } = await fixture.server.createRepository('a.git')
    const { tlsClientCertificate: _, tlsClientKey: _key, ...without } = fixture.credentials
    assert.equal((await list(url, client, fixture.credentials)).refs.size, 0)
    await assert.rejects(list(url, client, without), DomainError)
  })
}
