import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HydratedRepositoryFixture } from './hydrated-repository-fixture.ts'
import type { FileCommit } from './file-commit.ts'
import { type WrittenFiles, writeFiles } from './write-files.ts'

const parameters = 'apps/web/.argocd-source.yaml'

/** Writes texts to `main`; undefined removes a file. */
function write(
  { mirror, trees, signal }: HydratedRepositoryFixture,
  baseSha: string,
  texts: Record<string, string | undefined>,
  branch = 'main',
  newBranch = '',
): Promise<WrittenFiles> {
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    content: text === undefined ? undefined : Buffer.from(text),
  }))
  const commit: FileCommit = {
    branch,
    newBranch,
    baseSha,
    files,
    message: 'Set parameters\n',
    authorName: 'Ada',
    authorEmail: 'ada@example.com',
  }
  return writeFiles(mirror, trees, commit, signal)
}

/** A dry repository; `beforePush` comes between the reading of a branch and each push of Wadi. */
async function startDry(beforePush?: (fixture: HydratedRepositoryFixture) => Promise<unknown>) {
  let mayRace = false
  const fixture = await HydratedRepositoryFixture.start({
    onRequest: async ({ method, service }) => {
      if (method !== 'POST' || service !== 'git-receive-pack' || !mayRace) return
      mayRace = false
      await beforePush?.(fixture)
      mayRace = true
    },
  })
  const base = await fixture.pushForeign('main', { [parameters]: 'a: 1\n', 'README.md': 'dry\n' })
  mayRace = true
  return { fixture, base }
}

test('files are written and removed with one commit of the author on top of the head', async () => {
  const { fixture, base } = await startDry()
  await using _ = fixture
  const written = await write(fixture, base, {
    [parameters]: 'a: 2\n',
    'new/x.yaml': 'x\n',
    'README.md': undefined,
  })
  assert.deepEqual(written.changedPaths, [parameters, 'new/x.yaml', 'README.md'])
  assert.equal((await fixture.refs())['refs/heads/main'], written.sha)
  assert.deepEqual(await fixture.files(written.sha), { [parameters]: 'a: 2\n', 'new/x.yaml': 'x\n' })
  const { stdout } = await fixture.mirror.raw([
    'log',
    '-1',
    '--format=%P|%an <%ae>|%cn <%ce>|%B',
    written.sha,
  ])
  assert.equal(
    stdout.toString().trim(),
    `${base}|Ada <ada@example.com>|Argo CD <argo-cd@example.com>|Set parameters`,
  )
})

test('files that are as wanted make no commit, also after somebody else wrote the same', async () => {
  const { fixture, base } = await startDry()
  await using _ = fixture
  const wanted = { [parameters]: 'a: 1\n', 'not/there.yaml': undefined }
  assert.deepEqual(await write(fixture, base, wanted), { sha: base, changedPaths: [] })
  const theirs = await fixture.pushForeign('main', { [parameters]: 'a: 2\n' })
  assert.deepEqual(await write(fixture, base, { [parameters]: 'a: 2\n' }), { sha: theirs, changedPaths: [] })
  assert.equal((await fixture.refs())['refs/heads/main'], theirs)
})

test('a head that moved without touching the files is built upon', async () => {
  const { fixture, base } = await startDry()
  await using _ = fixture
  await fixture.pushForeign('main', { 'other.yaml': 'theirs\n' })
  const { sha } = await write(fixture, base, { [parameters]: 'a: 2\n' })
  assert.deepEqual(await fixture.files(sha), {
    'README.md': 'dry\n',
    [parameters]: 'a: 2\n',
    'other.yaml': 'theirs\n',
  })
})

for (const [change, theirs] of [
  ['changed', { [parameters]: 'a: 9\n' }],
  ['removed', { [parameters]: undefined }],
] as const) {
  test(`a file that somebody else ${change} is named and nothing is pushed`, async () => {
    const { fixture, base } = await startDry()
    await using _ = fixture
    const head = await fixture.pushForeign('main', theirs)
    await assert.rejects(write(fixture, base, { 'ok.yaml': 'x\n', [parameters]: 'a: 2\n' }), {
      name: 'ConflictError',
      message: `${parameters} of branch main was changed after ${base.slice(0, 7)}; read it again and repeat the change`,
    })
    assert.equal((await fixture.refs())['refs/heads/main'], head)
  })
}

test('a commit that comes in during the push is built upon, one that changes the file ends in a conflict', async () => {
  const coming: Record<string, string>[] = [{ 'other.yaml': 'theirs\n' }]
  const { fixture, base } = await startDry(async (racing) => {
    const files = coming.shift()
    if (files) await racing.pushForeign('main', files)
  })
  await using _ = fixture
  const { sha } = await write(fixture, base, { [parameters]: 'a: 2\n' })
  assert.deepEqual(await fixture.subjects(sha), ['Set parameters', 'By hand', 'By hand'])
  coming.push({ [parameters]: 'a: 9\n' })
  await assert.rejects(write(fixture, sha, { [parameters]: 'a: 3\n' }), { name: 'ConflictError' })
  const head = (await fixture.refs())['refs/heads/main'] ?? ''
  assert.equal((await fixture.files(head))[parameters], 'a: 9\n')
})

test('a branch that moves before every push is given up', async () => {
  let count = 0
  const { fixture, base } = await startDry((racing) =>
    racing.pushForeign('main', { 'other.yaml': `theirs ${++count}\n` }),
  )
  await using _ = fixture
  await assert.rejects(write(fixture, base, { [parameters]: 'a: 2\n' }), {
    name: 'UnavailableError',
    message: 'branch main moved 5 times while this commit was pushed; try again',
  })
  assert.equal(count, 5)
})

test('a branch that does not exist and one that was rewritten have different errors', async () => {
  const { fixture, base } = await startDry()
  await using _ = fixture
  await assert.rejects(write(fixture, base, { a: 'x' }, 'feature'), {
    name: 'NotFoundError',
    message: `branch feature does not exist in ${fixture.url}; push it first`,
  })
  await assert.rejects(write(fixture, 'e'.repeat(40), { a: 'x' }), {
    name: 'ConflictError',
    message: 'branch main has no commit eeeeeee any more; read the files again and repeat the change',
  })
})

test('a hydrated branch is not written', async () => {
  const { fixture } = await startDry()
  await using _ = fixture
  const head = await fixture.pushForeign('env/dev', { 'hydrator.metadata': '{}\n' })
  await assert.rejects(write(fixture, head, { a: 'x' }, 'env/dev'), {
    name: 'FailedPreconditionError',
    message: /^branch env\/dev is a hydrated branch: .*; change the dry branch instead$/,
  })
})

test('nothing is written over a directory or a symlink, nor below one', async () => {
  const { fixture } = await startDry()
  await using _ = fixture
  const base = await fixture.pushForeign('main', { link: 'apps' }, { link: '120000' })
  const cases = [
    [{ apps: 'x' }, 'apps of branch main is a directory where a file must be; remove it first'],
    [{ link: 'x' }, 'link of branch main is a symlink where a file must be; remove it first'],
    [{ 'link/a': 'x' }, 'link of branch main is a symlink where a directory must be; remove it first'],
    [{ 'README.md/a': 'x' }, 'README.md of branch main is a file where a directory must be; remove it first'],
  ] as const
  for (const [texts, message] of cases) {
    await assert.rejects(write(fixture, base, texts), { name: 'FailedPreconditionError', message })
  }
})

test('an executable file is compared by its content', async () => {
  const { fixture } = await startDry()
  await using _ = fixture
  const base = await fixture.pushForeign('main', { 'run.yaml': 'a: 1\n' }, { 'run.yaml': '100755' })
  assert.deepEqual(await write(fixture, base, { 'run.yaml': 'a: 1\n' }), { sha: base, changedPaths: [] })
  const { stdout } = await fixture.mirror.raw(['ls-tree', base, 'run.yaml'])
  assert.match(stdout.toString(), /^100755 /)
})

test('the error for a protected branch says what to do', async () => {
  await using fixture = await HydratedRepositoryFixture.start({
    preReceive:
      '#!/bin/sh\nread old new ref\n[ "$old" = 0000000000000000000000000000000000000000 ] && exit 0\necho "GH006: Protected branch" >&2\nexit 1\n',
  })
  const base = await fixture.pushForeign('main', { a: '1' })
  await assert.rejects(write(fixture, base, { a: '2' }), {
    name: 'FailedPreconditionError',
    message:
      /refs\/heads\/main of .* is protected .*; or print the change with --print and open a pull request$/,
  })
})

test('a new branch gets the commit on top of the head, and the branch stays as it is', async () => {
  const { fixture, base } = await startDry()
  await using _ = fixture
  const { sha } = await write(fixture, base, { [parameters]: 'a: 2\n' }, 'main', 'change/web')
  const refs = await fixture.refs()
  assert.deepEqual([refs['refs/heads/main'], refs['refs/heads/change/web']], [base, sha])
  assert.equal((await fixture.mirror.commitRange(base, sha)).length, 1)
  const unchanged = await write(fixture, base, { [parameters]: 'a: 1\n' }, 'main', 'change/nothing')
  assert.deepEqual(unchanged, { sha: base, changedPaths: [] })
  assert.equal((await fixture.refs())['refs/heads/change/nothing'], undefined)
})

test('a branch that exists, or that somebody makes meanwhile, is not taken for a new one', async () => {
  const { fixture, base } = await startDry(async (beside) =>
    beside.pushForeign('change/raced', { 'b.yaml': 'b\n' }),
  )
  await using _ = fixture
  for (const name of ['main', 'change/raced']) {
    await assert.rejects(write(fixture, base, { [parameters]: 'a: 2\n' }, 'main', name), {
      name: 'AlreadyExistsError',
      message: new RegExp(`^branch ${name} already exists in `),
    })
  }
  assert.equal((await fixture.refs())['refs/heads/main'], base)
})
