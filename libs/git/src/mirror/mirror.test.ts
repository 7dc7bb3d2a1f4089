import assert from 'node:assert/strict'
import { mkdir, readdir, rm, truncate, writeFile, chmod } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import {
  CanceledError,
  ConflictError,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
} from '@wadi/errors/domain-error.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { sshServerAvailable, startGitSshServer } from '@wadi/testing/git-ssh-server.ts'
import { CorruptMirrorError } from '../process/git-failure.ts'
import { openTestMirror, startMirrorFixture } from './mirror-fixture.ts'
import { resolveRevision } from './resolve-revision.ts'

const branches = ['+refs/heads/*:refs/heads/*']

test('the refs of a remote are listed with HEAD and peeled tags', async () => {
  await using fixture = await startMirrorFixture()
  const sha = await fixture.repository.head()
  await fixture.repository.git.raw(['tag', '-a', '-m', 'tag', 'v1.0.0'])
  const { head, refs } = await fixture.mirror.listRemote()
  assert.equal(head, 'main')
  assert.equal(refs.get('refs/heads/main'), sha)
  assert.notEqual(refs.get('refs/tags/v1.0.0'), sha)
  assert.equal(refs.get('refs/tags/v1.0.0^{}'), sha)
  assert.deepEqual(resolveRevision('^1', refs, head), { sha, ref: 'refs/tags/v1.0.0' })
})

test('an empty remote has no refs', async () => {
  await using server = await startGitHttpServer()
  const { url } = await server.createRepository('empty.git')
  await using mirror = await openTestMirror(path.join(server.root, 'mirror'), url)
  assert.equal((await mirror.listRemote()).refs.size, 0)
})

test('a fetch brings commits and follows a branch that was rewritten or removed', async () => {
  await using fixture = await startMirrorFixture()
  const { repository, mirror } = fixture
  const first = await repository.head()
  const second = await repository.commitFiles({ a: '2' }, 'Second')
  await repository.git.raw(['branch', 'side'])
  await fixture.update()
  assert.equal(await mirror.hasObject(second), true)
  await repository.git.raw(['reset', '-q', '--hard', first])
  await repository.git.raw(['branch', '-D', 'side'])
  await repository.git.raw(['branch', 'side/below'])
  await fixture.update()
  assert.equal(await mirror.objects.resolve('refs/heads/main'), first)
  assert.equal(await mirror.objects.resolve('refs/heads/side'), undefined)
  assert.equal(await mirror.objects.resolve('refs/heads/side/below'), first)
  assert.equal(await mirror.hasObject('1'.repeat(40)), false)
})

test('a commit is fetched by its SHA, and the refs of the mirror stay', async () => {
  await using fixture = await startMirrorFixture()
  const { repository, mirror } = fixture
  const first = await repository.head()
  const second = await repository.commitFiles({ a: '2' }, 'Second')
  await mirror.fetch([second])
  assert.equal(await mirror.hasObject(second), true)
  assert.equal(await mirror.objects.resolve('refs/heads/main'), first)
})

test('a fetch of a missing branch has its own error, and an invalid refspec is refused', async () => {
  await using fixture = await startMirrorFixture()
  await assert.rejects(fixture.mirror.fetch(['+refs/heads/nope:refs/heads/nope']), NotFoundError)
  for (const refspec of [
    '--upload-pack=x',
    'main',
    '+refs/heads/a',
    ':refs/heads/a',
    'refs/a:refs/b:c',
    '',
  ]) {
    await assert.rejects(fixture.mirror.fetch([refspec]), InvalidInputError)
  }
})

test('equal fetches that wait share one run, which begins after they asked', async () => {
  await using server = await startGitHttpServer()
  const { url } = await server.createRepository('a.git')
  await using mirror = await openTestMirror(path.join(server.root, 'mirror'), url)
  await Promise.all(Array.from({ length: 20 }, () => mirror.fetch(branches)))
  assert.deepEqual(
    server.requests.map(({ method }) => method),
    ['GET', 'POST'],
  )
  await Promise.all(
    [mirror.fetch(branches), mirror.fetch(['+HEAD:refs/wadi/head'])].map((p) => p.catch(String)),
  )
  assert.equal(server.requests.length, 4)
})

test('a caller that gives up does not end the fetch of another', async () => {
  const gate = Promise.withResolvers<undefined>()
  const asked = Promise.withResolvers<void>()
  await using server = await startGitHttpServer({
    onRequest: () => {
      asked.resolve()
      return gate.promise
    },
  })
  const { url } = await server.createRepository('a.git')
  await using mirror = await openTestMirror(path.join(server.root, 'mirror'), url)
  const controller = new AbortController()
  const impatient = mirror.fetch(branches, controller.signal)
  const patient = mirror.fetch(branches)
  await asked.promise
  controller.abort()
  await assert.rejects(impatient, CanceledError)
  gate.resolve(undefined)
  await patient
})

test('closing a mirror ends a fetch that waits for the server', async () => {
  const asked = Promise.withResolvers<void>()
  await using server = await startGitHttpServer({
    onRequest: () => {
      asked.resolve()
      return Promise.withResolvers<undefined>().promise
    },
  })
  const mirror = await openTestMirror(path.join(server.root, 'mirror'), `${server.url}/a.git`)
  const rejected = assert.rejects(mirror.fetch(branches), CanceledError)
  await asked.promise
  await mirror[Symbol.asyncDispose]()
  await rejected
})

test('a redirect within the server is followed once and remembered', async () => {
  await using server = await startGitHttpServer({
    users: { bot: 'pw' },
    onRequest: ({ path: requested }) =>
      requested.startsWith('/old/')
        ? {
            status: 301,
            headers: { location: `${requested.replace('/old/', '/new.git/')}?service=git-upload-pack` },
          }
        : undefined,
  })
  await server.createRepository('new.git')
  const credentials = { username: 'bot', password: 'pw' }
  await using mirror = await openTestMirror(path.join(server.root, 'm'), `${server.url}/old`, credentials)
  await mirror.fetch(branches)
  server.requests.length = 0
  await mirror.fetch(branches)
  assert.equal(server.requests.length > 0, true)
  const elsewhere = server.requests.filter(({ path: requested }) => !requested.startsWith('/new.git/'))
  assert.deepEqual(elsewhere, [])
})

test('refs are set by compare-and-swap', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const first = await repository.head()
  const second = await repository.commitFiles({ a: '2' }, 'Second')
  await fixture.update()
  await mirror.updateRef('refs/wadi/x', first)
  await assert.rejects(mirror.updateRef('refs/wadi/x', first, second), ConflictError)
  await mirror.updateRef('refs/wadi/x', second, first)
  assert.equal(await mirror.objects.resolve('refs/wadi/x'), second)
  await mirror.updateRef('refs/wadi/x', undefined)
  assert.equal(await mirror.objects.resolve('refs/wadi/x'), undefined)
})

test('the commits between two come along first parents, oldest first', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const first = await repository.head()
  await repository.git.raw(['checkout', '-q', '-b', 'side'])
  const side = await repository.commitFiles({ s: '1' }, 'Side')
  await repository.git.raw(['checkout', '-q', 'main'])
  const second = await repository.commitFiles({ a: '2' }, 'Second')
  await repository.git.raw(['merge', '-q', '--no-ff', '-m', 'Merge', 'side'])
  const merge = await repository.head()
  await fixture.update()
  assert.deepEqual(await mirror.commitRange(first, merge), [second, merge])
  assert.deepEqual(await mirror.commitRange(undefined, second), [first, second])
  assert.equal(await mirror.isAncestor(side, merge), true)
  assert.equal(await mirror.isAncestor(first, merge), true)
  assert.equal(await mirror.isAncestor(merge, side), false)
  await assert.rejects(mirror.commitRange('--all', merge), InvalidInputError)
})

test('a mirror is opened again after a killed git left its locks behind', async () => {
  await using fixture = await startMirrorFixture()
  const { directory } = fixture.mirror
  await fixture.mirror[Symbol.asyncDispose]()
  await mkdir(path.join(directory, 'refs', 'heads'), { recursive: true })
  const locks = ['packed-refs.lock', 'HEAD.lock', 'refs/heads/main.lock', 'objects/pack/tmp_pack_x']
  for (const lock of locks) await writeFile(path.join(directory, lock), '')
  await fixture.repository.commitFiles({ a: '2' }, 'Second')
  await using mirror = await openTestMirror(directory, fixture.repository.directory)
  await mirror.fetch(branches)
  assert.equal(await mirror.objects.resolve('main'), await fixture.repository.head())
  assert.deepEqual(
    (await readdir(directory, { recursive: true })).filter((name) => /\.lock$|tmp_/.test(name)),
    [],
  )
})

test('a directory with anything else in it is left alone', async () => {
  await using fixture = await startMirrorFixture()
  const foreign = path.join(fixture.scratch, 'foreign')
  await mkdir(foreign)
  await writeFile(path.join(foreign, 'thesis.txt'), 'years of work')
  await assert.rejects(openTestMirror(foreign, fixture.repository.directory), FailedPreconditionError)
  assert.deepEqual(await readdir(foreign), ['thesis.txt'])
  const other = openTestMirror(fixture.mirror.directory, '/srv/another')
  await assert.rejects(other, FailedPreconditionError)
})

test('a damaged mirror is reported and works after it is made again', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const head = await repository.head()
  await mirror.objects.close()
  const file = path.join(mirror.directory, 'objects', head.slice(0, 2), head.slice(2))
  await chmod(file, 0o644)
  await truncate(file, 0)
  await repository.commitFiles({ a: '2' }, 'Second')
  await assert.rejects(fixture.update(), CorruptMirrorError)
  await mirror.recreate()
  await fixture.update()
  assert.equal(await mirror.objects.resolve('main'), await repository.head())
})

test('a mirror whose directory lost its parts is made again when it is opened', async () => {
  await using fixture = await startMirrorFixture()
  const { directory } = fixture.mirror
  await fixture.mirror[Symbol.asyncDispose]()
  await rm(path.join(directory, 'HEAD'))
  await using mirror = await openTestMirror(directory, fixture.repository.directory)
  await mirror.fetch(branches)
  assert.equal(await mirror.objects.resolve('main'), await fixture.repository.head())
})

test(
  'a repository behind SSH opens with its key and known host alone',
  {
    skip: sshServerAvailable() ? false : 'no sshd on this machine',
  },
  async () => {
    await using server = await startGitSshServer()
    await using fixture = await startMirrorFixture()
    const { url, directory } = await server.createRepository('a.git')
    await fixture.repository.git.raw(['push', '-q', directory, 'main'])
    const { privateKey: sshPrivateKey, knownHosts: sshKnownHosts, foreignPrivateKey } = server
    const list = async (
      name: string,
      credentials?: Parameters<typeof openTestMirror>[2],
    ): Promise<unknown> => {
      await using mirror = await openTestMirror(path.join(fixture.scratch, name), url, credentials)
      return (await mirror.listRemote()).refs.get('refs/heads/main')
    }
    const head = await fixture.repository.head()
    assert.equal(await list('good', { sshPrivateKey, sshKnownHosts }), head)
    assert.equal(await list('unchecked', { sshPrivateKey, insecureIgnoreHostKey: true }), head)
    await assert.rejects(list('unknown', { sshPrivateKey, sshKnownHosts: '' }), {
      name: 'FailedPreconditionError',
      message: /host key verification failed .*: no key of this server is known; add it to/,
    })
    await using other = await startGitSshServer()
    const changed = `# line 1\n${sshKnownHosts.replace(/(\S+ ssh-ed25519 ).*/, `$1${/ssh-ed25519 (\S+)/.exec(other.knownHosts)?.[1]}`)}`
    await assert.rejects(list('changed', { sshPrivateKey, sshKnownHosts: changed }), {
      name: 'FailedPreconditionError',
      message:
        /host key verification failed for ssh:.*: it shows the ED25519 key SHA256:\S+, line 2 of the known hosts has another\. .*replace it in the ConfigMap argocd-ssh-known-hosts-cm \(wadi cert add-ssh --batch --upsert\) or sshKnownHosts of its Secret/,
    })
    await assert.rejects(
      list('foreign', { sshPrivateKey: foreignPrivateKey, sshKnownHosts }),
      PermissionDeniedError,
    )
    await assert.rejects(list('no key', { sshKnownHosts }), PermissionDeniedError)
  },
)
