import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { createNetworkPolicy } from '@wadi/git/network/network-policy.ts'
import type { ServerWay } from '@wadi/git/network/server-way.ts'
import {
  packedName,
  packRelease,
  releaseOf,
  reporting,
  startReleaseServer,
} from '@wadi/renderer-tools/releases/release-fixture.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { startConnectProxy } from '@wadi/testing/connect-proxy.ts'
import { noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { openDownloads } from './open-downloads.ts'

const skip = noOpenssl
const archive = await packRelease({ [packedName('helm')]: reporting('v4.3.1') })
const release = releaseOf('helm', '4.3.1', archive)

/** A server with one release, and downloads of a repo-server that trusts it. */
async function served({ maxMs = 30_000, allowed = [] as string[] } = {}) {
  await using owned = new AsyncDisposableStack()
  const server = owned.use(await startReleaseServer())
  server.publish(release, archive)
  const directory = mkdtempSync(path.join(tmpdir(), 'wadi-served-'))
  owned.defer(() => rmSync(directory, { recursive: true, force: true }))
  const toolList = path.join(directory, 'list.txt')
  writeFileSync(toolList, server.list())
  const lines: string[] = []
  const logger = createLogger({
    service: 'repo-server',
    level: 'info',
    format: 'json',
    write: (line) => void lines.push(line),
  })
  const open = async (
    way: ServerWay = { tlsCaCertificate: server.authority },
    addresses = server.addresses,
  ) =>
    openDownloads({
      settings: { toolList, helmReleases: addresses.helm, kustomizeReleases: addresses.kustomize },
      repositories: { wayFor: async () => way },
      network: createNetworkPolicy(allowed),
      cacheDirectory: path.join(directory, 'tools'),
      logger,
      maxMs,
    })
  const moved = owned.move()
  return {
    server,
    open,
    lines,
    asked: server.pathOf(release),
    left: () => readdirSync(directory, { recursive: true }).map(String).toSorted(),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** The error of a download that fails, which names the release and leaves nothing. */
async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Error, 'it fails')
  assert.match(error.message, /^helm 4\.3\.1 of https:\/\/localhost:\d+\/helm\/helm-v4\.3\.1-\S+\.tar\.gz: /)
  return error
}

test(
  'a release is downloaded by https with the authority that is trusted for its host, and logged',
  { skip },
  async () => {
    await using given = await served()
    const program = await (await given.open()).obtain('helm', '4.3.1')
    assert.equal(readFileSync(program, 'utf8'), reporting('v4.3.1'))
    assert.deepEqual(given.server.requests, [given.asked])
    const logged = given.lines.map((line): Record<string, unknown> => JSON.parse(line))
    assert.deepEqual(
      logged.map(({ msg, message, sha256 }) => [msg ?? message, sha256]),
      [['downloaded helm 4.3.1', release.sha256]],
    )
    assert.equal(await (await given.open()).obtain('helm', '4.3.1'), program)
    assert.equal(given.server.requests.length, 1)
  },
)

test('a server with another authority is not asked', { skip }, async () => {
  await using given = await served()
  const error = await failureOf((await given.open({})).obtain('helm', '4.3.1'))
  assert.match(error.message, /TLS failed for https:\/\/localhost.*wadi cert add-tls localhost/)
  assert.deepEqual(given.server.requests, [])
})

test('releases are reached through the proxy of their host', { skip }, async () => {
  await using given = await served()
  await using proxy = await startConnectProxy(Number(new URL(given.server.url).port))
  const way = { tlsCaCertificate: given.server.authority, proxy: `http://${proxy.host}` }
  await (await given.open(way)).obtain('helm', '4.3.1')
  assert.equal(proxy.requests.length, 1)
})

test(
  'a redirect is followed to public servers and networks that are allowed alone, and never to http',
  { skip },
  async () => {
    await using given = await served()
    const { server, asked } = given
    await using elsewhere = await startReleaseServer()
    const to = (location: string) =>
      server.answers.set(asked, (response) => response.writeHead(302, { location }).end())
    elsewhere.publish(release, archive)
    to(`${elsewhere.url}${elsewhere.pathOf(release)}`)
    const refused = await failureOf((await given.open()).obtain('helm', '4.3.1'))
    assert.match(refused.message, /the host localhost:\d+ has no public address/)
    to(`http://localhost:${new URL(server.url).port}/helm.tar.gz`)
    const plain = await failureOf((await given.open()).obtain('helm', '4.3.1'))
    assert.match(plain.message, /plain http/i)
    assert.deepEqual(elsewhere.requests, [])
    to(`${server.url}/elsewhere`)
    server.answers.set('/elsewhere', (response) => response.end(archive))
    await (await given.open()).obtain('helm', '4.3.1')
  },
)

test('a redirect to a network that the operator allows is followed', { skip }, async () => {
  await using given = await served({ allowed: ['127.0.0.0/8', '::1/128'] })
  await using elsewhere = await startReleaseServer()
  elsewhere.publish(release, archive)
  const location = `${elsewhere.url}${elsewhere.pathOf(release)}`
  given.server.answers.set(given.asked, (response) => response.writeHead(302, { location }).end())
  const both = { tlsCaCertificate: `${given.server.authority}\n${elsewhere.authority}` }
  await (await given.open(both)).obtain('helm', '4.3.1')
  assert.equal(elsewhere.requests.length, 1)
})

test(
  'what a server answers in place of a release is an error that names it, and may be tried again if that can help',
  { skip },
  async () => {
    await using given = await served()
    const { server, asked } = given
    const cases = [
      [403, /answers 403: releases are downloaded without a user; name a mirror .*WADI_HELM_RELEASES/, false],
      [404, /does not exist/, false],
      [418, /answers 418, which a server of releases does not/, false],
      [503, /answers 503/, true],
    ] as const
    for (const [status, message, retryable] of cases) {
      server.answers.set(asked, (response) => response.writeHead(status).end())
      const error = await failureOf((await given.open()).obtain('helm', '4.3.1'))
      assert.match(error.message, message)
      assert.equal(error instanceof UnavailableError, retryable, error.message)
    }
    server.answers.set(asked, (response) => response.end('<html>sign in</html>'))
    const other = await failureOf((await given.open()).obtain('helm', '4.3.1'))
    assert.ok(other instanceof FailedPreconditionError)
    assert.match(other.message, /has the digest sha256:\w{64}, and \S+list\.txt says/)
    assert.deepEqual(given.left(), ['list.txt'])
  },
)

test('an answer that hangs, ends early or has no end is given up', { skip }, async () => {
  await using given = await served({ maxMs: 1_000 })
  const { server, asked } = given
  server.answers.set(asked, (response) => response.writeHead(200).write(archive.subarray(0, 100)))
  const hangs = await failureOf((await given.open()).obtain('helm', '4.3.1'))
  assert.ok(hangs instanceof UnavailableError)
  server.answers.set(asked, (response) => {
    response.writeHead(200, { 'content-length': archive.length + 1 })
    response.write(archive, () => response.destroy())
  })
  const early = await failureOf((await given.open()).obtain('helm', '4.3.1'))
  assert.ok(early instanceof UnavailableError)
  assert.deepEqual(given.left(), ['list.txt'])
})

test('an address without https, or with a user in it, is an invalid setting', { skip }, async () => {
  await using given = await served()
  for (const helm of ['http://get.example', 'ftp://get.example', 'https://me:pw@get.example', 'get.example'])
    await assert.rejects(given.open({}, { ...given.server.addresses, helm }), {
      name: 'InvalidInputError',
      message: /must be one of https, without user and query/,
    })
})

test('a process that ends gives up its downloads', { skip }, async () => {
  await using given = await served()
  const { server, asked } = given
  const reached = Promise.withResolvers<void>()
  server.answers.set(asked, () => reached.resolve())
  const downloads = await given.open()
  const ended = assert.rejects(downloads.obtain('helm', '4.3.1'), { name: 'AbortError' })
  await reached.promise
  await downloads[Symbol.asyncDispose]()
  await ended
})
