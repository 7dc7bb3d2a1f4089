import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import {
  FailedPreconditionError,
  RateLimitError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { apiBase } from './forge-address.ts'
import { forgeApi } from './forge-api.ts'
import { ForgeClient, type ForgeLogin, type ForgePatience } from './forge-client.ts'
import { generatorWords } from './forge-failure.ts'
import { someRepositories } from './forge-data-fixture.ts'
import { type ForgeServer, forgeToken } from './forge-server-fixture.ts'
import { textAt } from './forge-values.ts'
import type { Forge } from './forge.ts'
import { startGithub } from './github/github-fixture.ts'
import { github as githubForge } from './github/github-forge.ts'
import { startGitlab } from './gitlab/gitlab-fixture.ts'
import { gitlab as gitlabForge } from './gitlab/gitlab-forge.ts'

const { signal: endless } = new AbortController()

function openClient(patience: Partial<ForgePatience> = {}): ForgeClient {
  return new ForgeClient({ waitMs: 5_000, answerMs: 5_000, ...patience })
}

function loginTo(server: ForgeServer, login: Partial<ForgeLogin> & { forge: Forge }): ForgeLogin {
  const base = apiBase(login.forge, server.address)
  return {
    base,
    token: forgeToken,
    way: {},
    mayBeInner: true,
    words: generatorWords,
    ...login,
  }
}

function namesOf(
  client: ForgeClient,
  server: ForgeServer,
  login: Partial<ForgeLogin> & { forge?: Forge } = {},
  signal = endless,
) {
  const api = forgeApi(client, loginTo(server, { forge: githubForge, ...login }), signal)
  return api.all({ path: ['orgs', 'acme', 'repos'] }, (item) => textAt(item, 'name'))
}

const names = ['shop', 'attic', 'fresh']

test('every page is read, and unchanged ones cost nothing the next time', async () => {
  await using github = await startGithub('acme', someRepositories(), { wantsToken: true, maxItems: 2 })
  const client = openClient()
  assert.deepEqual(await namesOf(client, github), names)
  assert.deepEqual(await namesOf(client, github), names)
  assert.deepEqual(github.log, [
    'GET /api/v3/orgs/acme/repos -> 200',
    'GET /api/v3/orgs/acme/repos?page=2 -> 200',
    'GET /api/v3/orgs/acme/repos -> 304',
    'GET /api/v3/orgs/acme/repos?page=2 -> 304',
  ])
})

test('a token that is not accepted and a missing one have different errors', async () => {
  await using github = await startGithub('acme', someRepositories(), { wantsToken: true })
  const client = openClient()
  assert.deepEqual(await namesOf(client, github), names)
  await assert.rejects(
    namesOf(client, github, { token: 'other' }),
    /401 Unauthorized; the token is not accepted/,
  )
  await assert.rejects(namesOf(client, github, { token: undefined }), /401 Unauthorized; give a tokenRef$/)
  assert.deepEqual(
    github.log.map((line) => line.slice(-3)),
    ['200', '401', '401'],
  )
})

test('answers are kept for each token and for each way to trust the forge', async () => {
  await using github = await startGithub('acme', someRepositories())
  const client = openClient()
  for (const login of [
    {},
    { token: 'other' },
    { token: undefined },
    { way: { insecureSkipTlsVerify: true } },
    {},
  ]) {
    assert.deepEqual(await namesOf(client, github, login), names)
  }
  assert.deepEqual(
    github.log.map((line) => line.slice(-3)),
    ['200', '200', '200', '200', '304'],
  )
})

test('a short rate limit is waited for', async () => {
  await using github = await startGithub('acme', someRepositories())
  const client = openClient()
  const reset = String(Math.floor(Date.now() / 1000) + 1)
  github.rejections.push(
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } },
    { status: 429, headers: { 'retry-after': '0' } },
  )
  assert.deepEqual(await namesOf(client, github), names)
  assert.ok(Date.now() >= Number(reset) * 1000)
  assert.deepEqual(
    github.log.map((line) => line.slice(-3)),
    ['403', '429', '200'],
  )
})

test('a long rate limit is an error that says when it ends, and nothing is requested before', async () => {
  await using github = await startGithub('acme', someRepositories())
  const client = openClient()
  const reset = Math.floor(Date.now() / 1000) + 600
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) }
  github.rejections.push({ status: 403, headers, body: '{"message":"request id 4711"}' })
  const end = new Date(reset * 1000).toISOString().replace('.000Z', 'Z')
  const reported = (error: unknown) =>
    error instanceof ResourceExhaustedError &&
    error.message.startsWith(
      `github: GET ${github.address}/api/v3/orgs/acme/repos: the rate limit is used up until ${end}; `,
    )
  await assert.rejects(namesOf(client, github), reported)
  await assert.rejects(namesOf(client, github), reported)
  assert.equal(github.log.length, 1)
  assert.deepEqual(await namesOf(client, github, { token: undefined }), names)
})

test('GitLab names its limit in headers of its own', async () => {
  await using gitlab = await startGitlab('acme', someRepositories())
  const client = openClient()
  const reset = Math.floor(Date.now() / 1000) + 600
  gitlab.rejections.push({
    status: 429,
    headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': String(reset) },
  })
  const api = forgeApi(client, loginTo(gitlab, { forge: gitlabForge }), endless)
  await assert.rejects(
    api.all({ path: ['groups', 'acme', 'projects'] }, (item) => item),
    (error) =>
      error instanceof ResourceExhaustedError &&
      error.message.includes(new Date(reset * 1000).toISOString().slice(0, 19)),
  )
})

test('a secondary limit of GitHub, which no header announces, pauses for a minute', async () => {
  await using github = await startGithub('acme', someRepositories())
  const client = openClient()
  const before = Date.now()
  const message = 'You have exceeded a secondary rate limit. Please wait a few minutes.'
  github.rejections.push({ status: 403, body: JSON.stringify({ message }) })
  await assert.rejects(
    namesOf(client, github),
    (error) => error instanceof RateLimitError && error.retryAt >= before + 60_000,
  )
  assert.equal(github.log.length, 1)
})

test('a forge that fails is asked again a few times', async () => {
  await using github = await startGithub('acme', someRepositories())
  const client = openClient()
  const unready = { status: 503, headers: { 'retry-after': '0' } }
  github.rejections.push(unready, { status: 502, headers: { 'retry-after': '0' } })
  assert.deepEqual(await namesOf(client, github), names)
  github.rejections.push(unready, unready, unready, unready)
  await assert.rejects(
    namesOf(client, github),
    (error) =>
      error instanceof UnavailableError &&
      error.message.includes(': 503 Service Unavailable; the forge fails'),
  )
  assert.deepEqual(github.rejections, [])
})

test('a kept connection that the forge closes is replaced, a new one is not', async () => {
  await using github = await startGithub('acme', someRepositories())
  const client = openClient()
  github.rejections.push({ status: 0 })
  await assert.rejects(
    namesOf(client, github),
    (error) => error instanceof UnavailableError && error.message.includes('socket hang up'),
  )
  assert.deepEqual(await namesOf(client, github), names)
  github.rejections.push({ status: 0 })
  assert.deepEqual(await namesOf(client, github), names)
  assert.deepEqual(github.rejections, [])
})

test('a plain 403 is not asked again', async () => {
  await using github = await startGithub('acme', someRepositories())
  const client = openClient()
  github.rejections.push({ status: 403, headers: { 'x-ratelimit-remaining': '4999' } })
  await assert.rejects(namesOf(client, github), /403 Forbidden: no; the token has no right to read this$/)
  assert.equal(github.log.length, 1)
})

test('a redirect is followed on the same host alone', async () => {
  await using github = await startGithub('acme', someRepositories())
  await using elsewhere = await startGithub('acme', someRepositories())
  const client = openClient()
  github.rejections.push({ status: 301, headers: { location: '/api/v3/orgs/acme/repos?page=1' } })
  assert.deepEqual(await namesOf(client, github), names)
  github.rejections.push({
    status: 302,
    headers: { location: `${elsewhere.address}/api/v3/orgs/acme/repos` },
  })
  await assert.rejects(
    namesOf(client, github),
    (error) =>
      error instanceof FailedPreconditionError &&
      error.message.includes(`redirects to ${elsewhere.address}; give`),
  )
  assert.deepEqual(elsewhere.log, [])
  const around = { status: 302, headers: { location: '/api/v3/orgs/acme/repos' } }
  github.rejections.push(around, around, around, around)
  await assert.rejects(namesOf(client, github), /redirects more than 3 times/)
})

test('invalid answers are errors, too large ones while they are read', async () => {
  await using github = await startGithub('acme', someRepositories())
  const client = openClient()
  github.rejections.push({ status: 200, body: '<html>Sign in</html>' })
  await assert.rejects(namesOf(client, github), /repos: the answer is not valid JSON; is it the API\?$/)
  github.rejections.push({ status: 200, body: '{"message":"hello"}' })
  await assert.rejects(namesOf(client, github), /repos: the answer is not a list; is it the API\?$/)
  github.rejections.push({ status: 200, body: '[{"id":1}]' })
  await assert.rejects(namesOf(client, github), /repos: the answer has no name; is it the API\?$/)
  github.rejections.push({ status: 200, body: `["${'x'.repeat(9 * 1024 * 1024)}"]` })
  await assert.rejects(
    namesOf(client, github),
    (error) => error instanceof ResourceExhaustedError && error.message.includes('more than 8388608 bytes'),
  )
})

test('a list without an end is refused', async () => {
  const many = Array.from({ length: 10_001 }, (_, id) => ({
    id,
    name: `r${id}`,
    defaultBranch: 'main',
    branches: {},
  }))
  await using github = await startGithub('acme', many, { maxItems: 5_000 })
  const client = openClient()
  const api = forgeApi(client, loginTo(github, { forge: githubForge }), endless)
  await assert.rejects(
    api.all({ path: ['orgs', 'acme', 'repos'], query: { per_page: '5000' } }, (item) => textAt(item, 'name')),
    (error) =>
      error instanceof ResourceExhaustedError && /there are more than 10000 items/.test(error.message),
  )
})

test('a server that is down is reported as such, and waiting ends with the call', async () => {
  const gone = await startGithub('acme', [])
  await gone[Symbol.asyncDispose]()
  const client = openClient()
  await assert.rejects(
    namesOf(client, gone),
    (error) => error instanceof UnavailableError && error.message.includes('ECONNREFUSED'),
  )
  await using github = await startGithub('acme', [])
  github.rejections.push({ status: 429, headers: { 'retry-after': '4' } })
  const call = new AbortController()
  const asked = namesOf(client, github, {}, call.signal)
  call.abort(new Error('the caller went away'))
  await assert.rejects(asked, /the caller went away|AbortError/)
})

const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

test('certificates must be trusted, named in caRef or not checked', { skip: noOpenssl }, async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-forge-'))
  const subject = ['-subj', '/CN=forge', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem']
  execFileSync('openssl', ['req', '-x509', ...key, '-out', 'cert.pem', ...subject], {
    cwd: scratch.path,
    stdio: 'ignore',
  })
  const read = async (name: string) => readFile(path.join(scratch.path, name), 'utf8')
  const tls = { key: await read('key.pem'), cert: await read('cert.pem') }
  await using github = await startGithub('acme', someRepositories(), { tls })
  const client = openClient()
  await assert.rejects(
    namesOf(client, github),
    /^FailedPreconditionError: github: GET .*TLS failed for https:.*self-signed certificate/,
  )
  assert.deepEqual(await namesOf(client, github, { way: { tlsCaCertificate: tls.cert } }), names)
  assert.deepEqual(await namesOf(client, github, { way: { insecureSkipTlsVerify: true } }), names)
  await assert.rejects(namesOf(client, github), /self-signed certificate/)
})
