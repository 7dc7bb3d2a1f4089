import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import {
  FailedPreconditionError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { forgeApi } from './forge-api.ts'
import { endless, loginTo, names, namesOf, openClient } from './forge-client-fixture.ts'
import { someRepositories } from './forge-data-fixture.ts'
import { textAt } from './forge-values.ts'
import { startGithub } from './github/github-fixture.ts'
import { github as githubForge } from './github/github-forge.ts'

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
