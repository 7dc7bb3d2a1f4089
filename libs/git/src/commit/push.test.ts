import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import {
  ConflictError,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
} from '@wadi/errors/domain-error.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import type { ServedRepositoryOptions } from '@wadi/testing/git-http-server.ts'
import { sshServerAvailable, startGitSshServer } from '@wadi/testing/git-ssh-server.ts'
import { buildCommit } from './build-commit.ts'
import { openTestMirror } from '../mirror/mirror-fixture.ts'
import type { Mirror } from '../mirror/mirror.ts'
import type { HttpClient } from '../smart-http/http-client.ts'
import { httpClients } from '../smart-http/http-fixture.ts'
import { isAtomicUnsupported, pushRefs } from './push.ts'

const author = { name: 'Wadi', email: 'wadi@example.com', date: new Date('2025-01-01T00:00:00Z') }
const main = 'refs/heads/main'
const notes = 'refs/notes/hydrator.metadata'

function commit(mirror: Mirror, content: string, parent?: string): Promise<string> {
  const changes = [{ path: 'manifest.yaml', content }]
  return buildCommit(mirror, { parent, message: `Write ${content}\n`, author, committer: author, changes })
}

async function startPushFixture(
  client: HttpClient,
  options?: ServedRepositoryOptions,
): Promise<AsyncDisposable & { mirror: Mirror; url: string; remote: () => Promise<Record<string, string>> }> {
  const server = await startGitHttpServer({ users: { bot: 's3cret' } })
  const { url } = await server.createRepository('a.git', options)
  const credentials = { username: 'bot', password: 's3cret' }
  const mirror = await openTestMirror(path.join(server.root, 'mirror'), url, credentials, client)
  return {
    mirror,
    url,
    remote: async () => {
      const { refs } = await mirror.listRemote()
      return Object.fromEntries([...refs].filter(([ref]) => ref !== 'HEAD'))
    },
    async [Symbol.asyncDispose]() {
      await mirror[Symbol.asyncDispose]()
      await server.close()
    },
  }
}

for (const client of httpClients) {
  test(`${client}: a branch and its note are created and moved as one over HTTP with a password`, async () => {
    await using fixture = await startPushFixture(client)
    const { mirror, remote } = fixture
    const first = await commit(mirror, '1')
    const note = await commit(mirror, 'note')
    const create = [
      { source: first, ref: main, expected: undefined },
      { source: note, ref: notes, expected: undefined },
    ]
    await pushRefs(mirror, create, { atomic: true })
    assert.deepEqual(await remote(), { [main]: first, [notes]: note })
    const second = await commit(mirror, '2', first)
    await pushRefs(mirror, [{ source: second, ref: main, expected: first }], { atomic: false })
    assert.deepEqual(await remote(), { [main]: second, [notes]: note })
  })

  test(`${client}: a push that lost the race is a conflict and moves nothing, nor does the note that goes with it`, async () => {
    await using fixture = await startPushFixture(client)
    const { mirror, remote } = fixture
    const first = await commit(mirror, '1')
    await pushRefs(mirror, [{ source: first, ref: main, expected: undefined }], { atomic: true })
    const theirs = await commit(mirror, 'theirs', first)
    await pushRefs(mirror, [{ source: theirs, ref: main, expected: first }], { atomic: true })
    const ours = await commit(mirror, 'ours', first)
    const late = [
      { source: await commit(mirror, 'note'), ref: notes, expected: undefined },
      { source: ours, ref: main, expected: first },
    ]
    await assert.rejects(pushRefs(mirror, late, { atomic: true }), ConflictError)
    const existing = [{ source: theirs, ref: main, expected: undefined }]
    const onTop = await commit(mirror, 'on top', theirs)
    await assert.rejects(
      pushRefs(mirror, [{ source: onTop, ref: main, expected: undefined }], { atomic: true }),
      ConflictError,
    )
    await pushRefs(mirror, existing, { atomic: true }).catch((error: unknown) =>
      assert.ok(error instanceof ConflictError),
    )
    assert.deepEqual(await remote(), { [main]: theirs })
  })

  test(`${client}: history is never rewritten, even from the expected commit`, async () => {
    await using fixture = await startPushFixture(client)
    const { mirror, remote } = fixture
    const first = await commit(mirror, '1')
    await pushRefs(mirror, [{ source: first, ref: main, expected: undefined }], { atomic: true })
    const unrelated = await commit(mirror, 'unrelated')
    const rewrite = [{ source: unrelated, ref: main, expected: first }]
    await assert.rejects(pushRefs(mirror, rewrite, { atomic: true }), ConflictError)
    const unknown = [{ source: unrelated, ref: main, expected: '1'.repeat(40) }]
    await assert.rejects(pushRefs(mirror, unknown, { atomic: true }), ConflictError)
    assert.deepEqual(await remote(), { [main]: first })
  })

  test(`${client}: a branch that was removed meanwhile is a conflict`, async () => {
    await using fixture = await startPushFixture(client)
    const first = await commit(fixture.mirror, '1')
    const second = await commit(fixture.mirror, '2', first)
    const update = [{ source: second, ref: main, expected: first }]
    await assert.rejects(pushRefs(fixture.mirror, update, { atomic: true }), ConflictError)
  })

  test(`${client}: a hook that declines is reported with its message as protection`, async () => {
    const preReceive =
      '#!/bin/sh\necho "GitLab: You are not allowed to push code to protected branches" >&2\nexit 1\n'
    await using fixture = await startPushFixture(client, { preReceive })
    const update = [{ source: await commit(fixture.mirror, '1'), ref: main, expected: undefined }]
    await assert.rejects(pushRefs(fixture.mirror, update, { atomic: true }), (error: unknown) => {
      assert.ok(error instanceof FailedPreconditionError)
      assert.match(error.message, /refs\/heads\/main .*is protected.*You are not allowed to push code/)
      assert.equal(isAtomicUnsupported(error), false)
      return true
    })
  })

  test(`${client}: a server that cannot update refs as one is recognised, and can be pushed to one by one`, async () => {
    await using fixture = await startPushFixture(client, { config: { 'receive.advertiseAtomic': 'false' } })
    const source = await commit(fixture.mirror, '1')
    const update = [{ source, ref: main, expected: undefined }]
    await assert.rejects(pushRefs(fixture.mirror, update, { atomic: true }), isAtomicUnsupported)
    await pushRefs(fixture.mirror, update, { atomic: false })
    assert.deepEqual(await fixture.remote(), { [main]: source })
  })

  test(`${client}: a wrong password and an unknown repository have different errors`, async () => {
    await using fixture = await startPushFixture(client)
    const push = async (url: string, password: string, name: string): Promise<void> => {
      const directory = `${fixture.mirror.directory}-${name}`
      await using mirror = await openTestMirror(directory, url, { username: 'bot', password }, client)
      const update = [{ source: await commit(mirror, '1'), ref: main, expected: undefined }]
      await pushRefs(mirror, update, { atomic: true })
    }
    await assert.rejects(push(fixture.url, 'wr0ng', 'wrong'), (error: unknown) => {
      assert.ok(error instanceof PermissionDeniedError)
      assert.ok(!error.message.includes('wr0ng'))
      return true
    })
    await assert.rejects(push(`${fixture.url}x`, 's3cret', 'absent'), NotFoundError)
  })

  test(`${client}: refs and commits that git could misread are refused`, async () => {
    await using fixture = await startPushFixture(client)
    const source = await commit(fixture.mirror, '1')
    for (const ref of ['main', '--force', 'refs/heads/-f', 'refs/heads/a:b', 'refs/heads/+x y']) {
      const update = [{ source, ref, expected: undefined }]
      await assert.rejects(pushRefs(fixture.mirror, update, { atomic: true }), InvalidInputError)
    }
    const plus = [{ source: `+${source}`, ref: main, expected: undefined }]
    await assert.rejects(pushRefs(fixture.mirror, plus, { atomic: true }), InvalidInputError)
  })
}

test(
  'a push goes through SSH with a key',
  {
    skip: sshServerAvailable() ? false : 'no sshd on this machine',
  },
  async () => {
    await using server = await startGitSshServer()
    const { url } = await server.createRepository('a.git')
    const credentials = { sshPrivateKey: server.privateKey, sshKnownHosts: server.knownHosts }
    await using mirror = await openTestMirror(path.join(server.root, 'mirror'), url, credentials)
    const source = await commit(mirror, '1')
    await pushRefs(mirror, [{ source, ref: main, expected: undefined }], { atomic: true })
    assert.equal((await mirror.listRemote()).refs.get(main), source)
  },
)
