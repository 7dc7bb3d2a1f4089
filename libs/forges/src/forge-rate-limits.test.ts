import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimitError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { forgeApi } from './forge-api.ts'
import { endless, loginTo, names, namesOf, openClient } from './forge-client-fixture.ts'
import { someRepositories } from './forge-data-fixture.ts'
import { startGithub } from './github/github-fixture.ts'
import { startGitlab } from './gitlab/gitlab-fixture.ts'
import { gitlab as gitlabForge } from './gitlab/gitlab-forge.ts'

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

test('a rate limit lasts as long as before when the clock is set back', async (t) => {
  await using github = await startGithub('acme', someRepositories())
  const client = openClient()
  github.rejections.push({ status: 429, headers: { 'retry-after': '600' } })
  const limited = async (): Promise<number> => {
    const error: unknown = await namesOf(client, github).catch((reason: unknown) => reason)
    assert.ok(error instanceof RateLimitError)
    return error.retryAt - Date.now()
  }
  await limited()
  const then = Date.now() - 3_600_000
  t.mock.method(Date, 'now', () => then)
  const remaining = await limited()
  assert.ok(remaining > 0 && remaining <= 600_000, String(remaining))
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
