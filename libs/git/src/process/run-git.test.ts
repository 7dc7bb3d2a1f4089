import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import {
  CanceledError,
  DeadlineExceededError,
  InvalidInputError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { prepareCredentials, scrub } from '../remote/credentials.ts'
import { RepositoryMovedError } from './git-failure.ts'
import { parseRepositoryUrl } from '../remote/repository-url.ts'
import { runGit } from './run-git.ts'

const policy = { allowFile: true, allowPlainHttp: 'loopback' } as const
const users = { bot: 's3cret-canary' }

test('git reads its input and its output comes back whole', async () => {
  const { stdout } = await runGit({ args: ['hash-object', '--stdin'], input: 'hello\n' })
  assert.equal(stdout.toString(), 'ce013625030ba8dba906f756967f9e9ca394464a\n')
})

test('a password opens a repository over HTTP and stands in no argument', async () => {
  await using server = await startGitHttpServer({ users })
  const { url } = await server.createRepository('a.git')
  const remote = parseRepositoryUrl(url, policy)
  const args = ['ls-remote', '--', url]
  const credentials = { username: 'bot', password: users.bot }
  assert.equal((await runGit({ args, remote, credentials })).stdout.toString(), '')
  const [request] = server.requests
  assert.equal(request?.user, 'bot')
  for (const wrong of [undefined, { username: 'bot', password: 'wrong' }]) {
    await assert.rejects(runGit({ args, remote, credentials: wrong }), {
      name: 'PermissionDeniedError',
      message: /^authentication failed for http:\/\/127\.0\.0\.1:\d+\/a\.git: check/,
    })
  }
})

test('credentials of one repository are not sent to another one of the same server', async () => {
  await using server = await startGitHttpServer({ onRequest: () => 404 })
  const remote = parseRepositoryUrl(`${server.url}/a.git`, policy)
  const args = ['ls-remote', '--', `${server.url}/b.git`]
  const credentials = { username: 'bot', password: users.bot }
  await assert.rejects(runGit({ args, remote, credentials }))
  assert.equal(server.requests.length > 0, true)
  assert.deepEqual(
    server.requests.filter(({ headers }) => headers.authorization !== undefined),
    [],
  )
})

test('a redirect to another host is refused, named and never contacted', async () => {
  await using elsewhere = await startGitHttpServer()
  await using server = await startGitHttpServer({
    onRequest: ({ path: requested }) => ({
      status: 301,
      headers: { location: `${elsewhere.url}${requested}?service=git-upload-pack` },
    }),
  })
  const url = `${server.url}/a.git`
  const remote = parseRepositoryUrl(url, policy)
  const credentials = { username: 'bot', password: users.bot }
  await assert.rejects(runGit({ args: ['ls-remote', '--', url], remote, credentials }), (error: unknown) => {
    assert.ok(error instanceof RepositoryMovedError)
    assert.match(error.message, /repository moved/)
    assert.ok(error.message.includes(new URL(elsewhere.url).host))
    return true
  })
  assert.deepEqual(elsewhere.requests, [])
})

test('a transport that the URL does not name is refused by git as well', async () => {
  await assert.rejects(runGit({ args: ['ls-remote', '--', 'file:///srv/x'] }), InvalidInputError)
  const remote = parseRepositoryUrl('https://host.example/x', policy)
  await assert.rejects(runGit({ args: ['ls-remote', '--', 'ext::sh'], remote }), InvalidInputError)
})

test('an abort and a timeout end a git that waits for a silent server', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const { promise: never } = Promise.withResolvers<undefined>()
  await using server = await startGitHttpServer({
    onRequest: () => {
      resolve()
      return never
    },
  })
  const url = `${server.url}/a.git`
  const call = { args: ['ls-remote', '--', url], remote: parseRepositoryUrl(url, policy) }
  await assert.rejects(runGit({ ...call, timeoutMs: 200 }), DeadlineExceededError)
  const controller = new AbortController()
  const aborted = runGit({ ...call, signal: controller.signal })
  await asked
  controller.abort()
  await assert.rejects(aborted, CanceledError)
  await assert.rejects(runGit({ ...call, signal: controller.signal }), CanceledError)
})

test('output beyond the bound ends git', async () => {
  const input = Buffer.alloc(1_000_000, 'a\n')
  const call = runGit({ args: ['stripspace'], input, maxOutputBytes: 1000 })
  await assert.rejects(call, ResourceExhaustedError)
})

test('an input that fails ends git with the error of the input', async () => {
  const call = runGit({ args: ['hash-object', '--stdin'], input: failingSource() })
  await assert.rejects(call, /the source dried up/)
})

async function* failingSource(): AsyncGenerator<string> {
  yield 'begin\n'
  throw new UnavailableError('the source dried up')
}

test('settings, variables and hooks of the machine do not reach git', async () => {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-run-git-'))
  process.env['GIT_CONFIG_PARAMETERS'] = `'user.name=intruder'`
  process.env['GIT_DIR'] = '/nope'
  try {
    await runGit({ args: ['init', '--quiet', '--bare', '--', directory.path] })
    const { stdout } = await runGit({ args: ['config', '--list'], gitDirectory: directory.path })
    assert.ok(!stdout.includes('intruder'))
    assert.ok(stdout.includes('core.hookspath=/dev/null'))
  } finally {
    delete process.env['GIT_CONFIG_PARAMETERS']
    delete process.env['GIT_DIR']
  }
})

test('keys lie in a file that nobody else reads, and disappear', async () => {
  const ssh = parseRepositoryUrl('git@host.example:x', policy)
  let key = ''
  {
    await using prepared = await prepareCredentials({ sshPrivateKey: 'KEY', sshKnownHosts: 'host k' }, ssh)
    const command = prepared.environment['GIT_SSH_COMMAND'] ?? ''
    assert.match(command, /-o StrictHostKeyChecking=yes/)
    assert.match(command, /-F \/dev\/null/)
    assert.ok(!command.includes('KEY'))
    key = /IdentityFile=(\S+)/.exec(command)?.[1] ?? ''
    assert.equal(await readFile(key, 'utf8'), 'KEY\n')
    assert.equal((await stat(key)).mode & 0o777, 0o600)
    assert.equal((await stat(path.dirname(key))).mode & 0o777, 0o700)
  }
  await assert.rejects(stat(path.dirname(key)), { code: 'ENOENT' })
})

test('scrubbing removes secrets in every spelling', () => {
  const credentials = { username: 'bot', password: 'p@ss/word', bearerToken: 'tok-123' }
  const basic = Buffer.from('bot:p@ss/word').toString('base64')
  const text = `p@ss/word p%40ss%2Fword tok-123 ${basic} https://x:y@host/z`
  assert.equal(scrub(text, credentials), '*** *** *** *** https://host/z')
})

test('git connects to the addresses that were checked, whatever the name leads to', async () => {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-git-test-'))
  await using server = await startGitHttpServer()
  await server.createRepository('a.git')
  const { port } = new URL(server.url)
  const text = `http://git.rebinding.invalid:${port}/a.git`
  const remote = parseRepositoryUrl(text, { allowFile: false, allowPlainHttp: 'always' })
  const call = { args: ['ls-remote', '--', text], remote, gitDirectory: directory.path }
  const { exitCode } = await runGit({ ...call, addresses: ['127.0.0.1'] })
  assert.equal(exitCode, 0)
})

test('ssh connects to the address that was checked, and knows the host by its name and port', async () => {
  for (const [url, alias] of [
    ['git@git.example:a.git', 'git.example'],
    ['ssh://git@git.example:2222/a.git', '[git.example]:2222'],
  ] as const) {
    await using prepared = await prepareCredentials({}, parseRepositoryUrl(url, policy), ['140.82.112.5'])
    const command = prepared.environment['GIT_SSH_COMMAND'] ?? ''
    assert.ok(command.includes(` -o HostName=140.82.112.5 -o 'HostKeyAlias=${alias}' `), command)
  }
})
