import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openTestMirror } from '@wadi/git/mirror/mirror-fixture.ts'
import { mirrorRef } from '@wadi/git/mirror/mirror-ref.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { GitFetch } from '@wadi/git/mirror/parts.ts'
import { openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { createRepository, type TestRepository } from '@wadi/testing/git-repository.ts'
import { type GitHttpRequest, startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { ensureCommit, fetchRevision } from './fetch-commit.ts'

interface Remote extends AsyncDisposable {
  /** A mirror that fetched nothing yet. */
  mirror: Mirror
  repository: TestRepository
  push(...refspecs: string[]): Promise<void>
  /** The scratch of the repository on the server, and what was asked there. */
  directory: string
  requests: GitHttpRequest[]
}

async function objectCount({ mirror }: Remote): Promise<number> {
  const { stdout } = await mirror.raw(['cat-file', '--batch-all-objects', '--batch-check'])
  return stdout.toString().split('\n').filter(Boolean).length
}

/** An empty repository on a git server that sends nothing but what refs point at. */
async function startRemote(gitFetch: GitFetch): Promise<Remote> {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-dry-'))).path
  const server = stack.use(await startGitHttpServer())
  const { url, directory } = await server.createRepository('dry.git')
  const mirror = stack.use(
    await openTestMirror(path.join(scratch, 'mirror'), url, undefined, 'built-in', gitFetch),
  )
  const repository = await createRepository(path.join(scratch, 'dry'))
  await repository.git.addRemote('origin', url)
  const owned = stack.move()
  return {
    mirror,
    repository,
    directory,
    requests: server.requests,
    push: async (...refspecs) => {
      await repository.git.raw(['push', '--quiet', 'origin', ...refspecs])
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function resolve({ mirror }: Remote, revision: string): Promise<string> {
  return (await fetchRevision(mirror, revision, await mirror.listRemote())).sha
}

/** The text of `app.yaml` in a commit, which proves that the mirror has its files. */
async function content({ mirror }: Remote, sha: string): Promise<string> {
  return (await (await openCommitTree(mirror.objects, new TreeCache(), sha)).read('app.yaml', 100)).toString()
}

for (const gitFetch of ['whole', 'needed'] as const) {
  test(`${gitFetch}: the branch or tag that a revision names is returned, that of HEAD too, and none for a commit`, async () => {
    await using remote = await startRemote(gitFetch)
    const sha = await remote.repository.commitFiles({ 'app.yaml': 'first\n' }, 'First\n')
    await remote.repository.git.raw(['tag', 'v1.2.0'])
    await remote.push('main', '--tags')
    const refs = await remote.mirror.listRemote()
    const ref = async (revision: string) => (await fetchRevision(remote.mirror, revision, refs)).ref
    assert.deepEqual(await Promise.all(['HEAD', 'main', 'v1.2.0', '1.x', sha, sha.slice(0, 7)].map(ref)), [
      'refs/heads/main',
      'refs/heads/main',
      'refs/tags/v1.2.0',
      'refs/tags/v1.2.0',
      '',
      '',
    ])
  })

  test(`${gitFetch}: HEAD, a branch, both kinds of tags and a full ref name are resolved and fetched`, async () => {
    await using remote = await startRemote(gitFetch)
    const { repository } = remote
    const { git } = repository
    const first = await repository.commitFiles({ 'app.yaml': 'first\n' }, 'First\n')
    await git.raw(['tag', 'light'])
    await git.raw(['tag', '--annotate', 'heavy', '-m', 'A release'])
    await git.raw(['checkout', '--quiet', '-b', 'team/feature'])
    const second = await repository.commitFiles({ 'app.yaml': 'second\n' }, 'Second\n')
    await remote.push('main', 'team/feature', '--tags')
    const expected = {
      HEAD: first,
      '': first,
      main: first,
      light: first,
      heavy: first,
      'refs/tags/heavy': first,
      'team/feature': second,
      'refs/heads/team/feature': second,
    }
    for (const [revision, sha] of Object.entries(expected)) {
      const found = await resolve(remote, revision)
      assert.equal(found, sha, revision)
      assert.equal(await content(remote, found), sha === first ? 'first\n' : 'second\n')
    }
  })

  test(`${gitFetch}: a version range is the newest tag in it`, async () => {
    await using remote = await startRemote(gitFetch)
    const shas = new Map<string, string>()
    for (const tag of ['v1.2.0', 'v1.10.0', 'v2.0.0-rc.1', 'v2.0.0']) {
      shas.set(tag, await remote.repository.commitFiles({ 'app.yaml': tag }, `${tag}\n`))
      await remote.repository.git.raw(['tag', '--annotate', tag, '-m', tag])
    }
    await remote.push('main', '--tags')
    for (const [range, tag] of [
      ['1.*', 'v1.10.0'],
      ['>=1.0.0 <1.5.0', 'v1.2.0'],
      ['*', 'v2.0.0'],
      ['~2.0.0-rc', 'v2.0.0'],
    ] as const) {
      assert.equal(await resolve(remote, range), shas.get(tag), range)
    }
    await assert.rejects(resolve(remote, '3.x'), { name: 'NotFoundError', message: /revision "3\.x"/ })
  })

  test(`${gitFetch}: a commit is found by its full or short id, at the tip of a branch or below it`, async () => {
    await using remote = await startRemote(gitFetch)
    const old = await remote.repository.commitFiles({ 'app.yaml': 'old\n' }, 'Old\n')
    const tip = await remote.repository.commitFiles({ 'app.yaml': 'tip\n' }, 'Tip\n')
    await remote.push('main')
    assert.equal(await resolve(remote, old.toUpperCase()), old)
    assert.equal(await content(remote, old), 'old\n')
    assert.equal(await resolve(remote, tip), tip)
    assert.equal(await resolve(remote, tip.slice(0, 7)), tip)
  })

  test(`${gitFetch}: the short id of a commit that the mirror lacks brings the branches in`, async () => {
    await using remote = await startRemote(gitFetch)
    const old = await remote.repository.commitFiles({ 'app.yaml': 'old\n' }, 'Old\n')
    await remote.repository.commitFiles({ 'app.yaml': 'tip\n' }, 'Tip\n')
    await remote.push('main')
    assert.equal(await resolve(remote, old.slice(0, 10)), old)
    assert.equal(await content(remote, old), 'old\n')
  })

  test(`${gitFetch}: a commit that only a tag keeps is found`, async () => {
    await using remote = await startRemote(gitFetch)
    await remote.repository.commitFiles({ 'app.yaml': 'main\n' }, 'Main\n')
    await remote.push('main')
    const below = await remote.repository.commitFiles({ 'app.yaml': 'below\n' }, 'Below\n')
    await remote.repository.commitFiles({ 'app.yaml': 'tagged\n' }, 'Tagged\n')
    await remote.repository.git.raw(['tag', 'kept'])
    await remote.push('kept')
    assert.equal(await resolve(remote, below), below)
  })

  test(`${gitFetch}: what does not exist is named with what could be given instead`, async () => {
    await using remote = await startRemote(gitFetch)
    await remote.repository.commitFiles({ 'app.yaml': 'a\n' }, 'A\n')
    await remote.push('main')
    const unpushed = await remote.repository.commitFiles({ 'app.yaml': 'b\n' }, 'B\n')
    for (const revision of ['absent', 'refs/heads/absent', unpushed, unpushed.slice(0, 7), '0'.repeat(40)]) {
      await assert.rejects(resolve(remote, revision), {
        name: 'NotFoundError',
        message: `revision "${revision}" does not exist in the repository; give a branch, tag, commit or version range`,
      })
    }
    for (const revision of ['--upload-pack=touch x', 'a\nb']) {
      await assert.rejects(resolve(remote, revision), { name: 'InvalidInputError' })
    }
  })

  test(`${gitFetch}: an empty repository has no revision at all`, async () => {
    await using remote = await startRemote(gitFetch)
    for (const revision of ['HEAD', 'main', 'abcdef1', 'a'.repeat(40)]) {
      await assert.rejects(resolve(remote, revision), { name: 'NotFoundError' }, revision)
    }
    for (const revision of ['HEAD', 'main']) {
      const message = `the repository has no commits, so revision "${revision}" does not exist; push one`
      await assert.rejects(resolve(remote, revision), { message })
    }
  })

  test(`${gitFetch}: a branch that was moved or rewritten since is fetched again`, async () => {
    await using remote = await startRemote(gitFetch)
    await remote.repository.commitFiles({ 'app.yaml': '1\n' }, 'One\n')
    await remote.push('main')
    await resolve(remote, 'main')
    await remote.repository.git.raw(['commit', '--quiet', '--amend', '-m', 'Rewritten'])
    await remote.push('--force', 'main')
    assert.equal(await resolve(remote, 'main'), await remote.repository.head())
  })

  test(`${gitFetch}: a branch that is moved by force after the remote was read gives the commit that was seen, or that is fetched when it is gone`, async () => {
    for (const isGone of [false, true]) {
      await using remote = await startRemote(gitFetch)
      const first = await remote.repository.commitFiles({ 'app.yaml': '1\n' }, 'One\n')
      await remote.push('main')
      const seen = await remote.mirror.listRemote()
      await remote.repository.git.raw(['commit', '--quiet', '--amend', '-m', 'Rewritten'])
      await remote.push('--force', 'main')
      if (isGone) await runTestGit(remote.directory, ['gc', '--quiet', '--prune=now'])
      const { sha } = await fetchRevision(remote.mirror, 'main', seen)
      assert.equal(sha, isGone ? await remote.repository.head() : first)
      assert.equal(await content(remote, sha), '1\n')
    }
  })

  test(`${gitFetch}: a new branch is fetched with one request after the remote was read, and brings its own commits alone`, async () => {
    await using remote = await startRemote(gitFetch)
    await remote.repository.commitFiles({ 'app.yaml': '1\n' }, 'One\n')
    await remote.push('main')
    await resolve(remote, 'main')
    const sha = await remote.repository.commitFiles({ 'app.yaml': '2\n' }, 'Two\n')
    await remote.push('HEAD:refs/heads/feature')
    const seen = await remote.mirror.listRemote()
    const before = await objectCount(remote)
    remote.requests.length = 0
    assert.deepEqual(await fetchRevision(remote.mirror, 'feature', seen), { sha, ref: 'refs/heads/feature' })
    assert.deepEqual(
      remote.requests.map(({ method }) => method),
      ['POST'],
    )
    assert.equal((await objectCount(remote)) - before, gitFetch === 'whole' ? 3 : 2)
    assert.equal(await remote.mirror.objects.resolve(mirrorRef('refs/heads/feature')), sha)
  })

  test(`${gitFetch}: a branch takes the place of one whose name was its directory`, async () => {
    await using remote = await startRemote(gitFetch)
    const sha = await remote.repository.commitFiles({ 'app.yaml': '1\n' }, 'One\n')
    await remote.push('HEAD:refs/heads/team')
    assert.equal(await resolve(remote, 'team'), sha)
    await remote.push(':refs/heads/team')
    const next = await remote.repository.commitFiles({ 'app.yaml': '2\n' }, 'Two\n')
    await remote.push('HEAD:refs/heads/team/dev')
    assert.equal(await resolve(remote, 'team/dev'), next)
  })

  test(`${gitFetch}: a commit that another process resolved is fetched, and requested once`, async () => {
    await using remote = await startRemote(gitFetch)
    const { mirror } = remote
    const old = await remote.repository.commitFiles({ 'app.yaml': 'old\n' }, 'Old\n')
    await remote.repository.commitFiles({ 'app.yaml': 'tip\n' }, 'Tip\n')
    await remote.push('main')
    let asked = 0
    const refs = () => {
      asked++
      return mirror.listRemote()
    }
    await ensureCommit(mirror, old, refs)
    await ensureCommit(mirror, old, refs)
    assert.equal(asked, 1)
    assert.equal(await content(remote, old), 'old\n')
    for (const sha of ['main', '', old.slice(0, 7), 'f'.repeat(40)]) {
      await assert.rejects(ensureCommit(mirror, sha, refs), { name: 'NotFoundError' }, sha)
    }
    assert.equal(asked, 2)
  })
}
