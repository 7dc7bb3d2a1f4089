import assert from 'node:assert/strict'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { mock, test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { assertWhole } from './mirror-fixture.ts'
import { kinds, main, startPartBed, treeOf } from './part-mirror-fixture.ts'

test('a fetch brings the commit and its trees, and a read the files of one directory in one request', async () => {
  await using bed = await startPartBed()
  const { mirror, source, server } = bed
  await mirror.fetch([main])
  assert.deepEqual(await kinds(mirror), ['commit', 'tree', 'tree', 'tree'])
  server.requests.length = 0
  const tree = await treeOf(mirror, await source.head())
  assert.equal((await tree.read('app/a.yaml', 100)).toString(), 'a: 3\n')
  assert.equal((await tree.read('app/b.yaml', 100)).toString(), 'b: 3\n')
  assert.equal(server.requests.length, 1)
  assert.deepEqual(await kinds(mirror), ['blob', 'blob', 'commit', 'tree', 'tree', 'tree'])
  await mirror.maintain()
  assert.equal(mirror.isPart, true)
  await assertWhole(mirror)
})

test('a later commit brings what is new alone, and files that are asked for at once are one request', async () => {
  await using bed = await startPartBed()
  const { mirror, source, server } = bed
  await mirror.fetch([main])
  await source.commitFiles({ 'app/a.yaml': 'a: 4\n' }, 'Version 4\n')
  await bed.push()
  await mirror.fetch([main])
  assert.equal((await kinds(mirror)).length, 4 + 3)
  server.requests.length = 0
  const tree = await treeOf(mirror, await source.head())
  const read = await Promise.all(['app/a.yaml', 'other/c.yaml'].map((file) => tree.read(file, 100)))
  assert.deepEqual(read.map(String), ['a: 4\n', 'c: 3\n'])
  assert.equal(server.requests.length, 1)
  server.requests.length = 0
  await tree.ready(['app', 'other', 'nothing'])
  assert.equal(server.requests.length, 0)
  assert.equal(mirror.isPart, true)
  await assertWhole(mirror)
})

test('the directories that files are fetched for are read together', async () => {
  await using bed = await startPartBed()
  const { mirror, source } = bed
  const directories = Array.from({ length: 20 }, (_, index) => `apps/${index}`)
  await source.commitFiles(
    Object.fromEntries(directories.map((name) => [`${name}/a.yaml`, name])),
    'Directories\n',
  )
  await bed.push()
  await mirror.fetch([main])
  const tree = await treeOf(mirror, await source.head())
  const { objects } = mirror
  const read = objects.read.bind(objects)
  let [open, most] = [0, 0]
  mock.method(objects, 'read', async (...args: Parameters<typeof read>) => {
    most = Math.max(most, ++open)
    return read(...args).finally(() => open--)
  })
  await tree.ready(directories)
  assert.equal(most, directories.length)
  assert.equal((await tree.read('apps/19/a.yaml', 100)).toString(), 'apps/19')
})

test('history comes for who asks for it, without files', async () => {
  await using bed = await startPartBed()
  const { mirror, source, server } = bed
  await mirror.fetch([main])
  const head = await source.head()
  const [third, second, first] = (await source.git.raw(['rev-list', 'HEAD'])).trim().split('\n')
  assert.ok(first !== undefined && second !== undefined)
  assert.equal(third, head)
  assert.deepEqual(await mirror.commitRange(first, head), [second, head])
  assert.deepEqual(await kinds(mirror), ['commit', 'commit', 'commit', 'tree', 'tree', 'tree'])
  server.requests.length = 0
  assert.equal(await mirror.isAncestor(first, head), true)
  assert.equal(await mirror.mergeBase(head, first), first)
  assert.equal(await mirror.isAncestor('1'.repeat(40), head), false)
  assert.equal(server.requests.length, 0)
  assert.equal(mirror.isPart, true)
  await assertWhole(mirror)
})

test('the history of a merge whose sides are cut off is complete before anything is said of it', async () => {
  await using bed = await startPartBed()
  const { mirror, source } = bed
  const base = await source.head()
  await source.git.raw(['checkout', '-q', '-b', 'side', 'HEAD~1'])
  const side = await source.commitFiles({ 's.yaml': 's: 1\n' }, 'Side\n')
  await source.git.raw(['checkout', '-q', 'main'])
  await source.git.raw(['merge', '-q', '--no-ff', '-m', 'Merge', 'side'])
  await bed.push()
  await mirror.fetch(['+refs/heads/*:refs/heads/*'])
  const merge = await source.head()
  assert.equal(await mirror.isAncestor(side, merge), true)
  assert.equal(await mirror.isAncestor(merge, side), false)
  assert.deepEqual(await mirror.commitRange(base, merge), [merge])
  assert.equal(await mirror.mergeBase(side, base), await source.git.revparse(['main~2']))
  const later = await source.commitFiles({ 't.yaml': 't: 1\n' }, 'Later\n')
  await bed.push()
  await mirror.fetch(['+refs/heads/*:refs/heads/*'])
  assert.deepEqual(await mirror.commitRange(base, later), [merge, later])
  assert.equal(mirror.isPart, true)
  await assertWhole(mirror)
})

test('a server that offers no parts is mirrored whole, without a request more for each fetch', async () => {
  await using bed = await startPartBed({ config: { 'uploadpack.allowFilter': 'false' } })
  const { mirror, server, source } = bed
  await mirror.fetch([main])
  assert.equal(mirror.isPart, false)
  assert.equal(server.requests.length, 3)
  await source.commitFiles({ 'app/a.yaml': 'a: 4\n' }, 'Version 4\n')
  await bed.push()
  server.requests.length = 0
  await mirror.fetch([main])
  assert.equal(server.requests.length, 2)
  await mirror.raw(['fsck', '--full', '--connectivity-only', '--no-dangling'])
  assert.equal((await bed.reopen()).isPart, false)
})

test('a mirror that lacks objects becomes whole when the operator or the server says so, and no earlier', async () => {
  for (const cause of ['setting', 'server'] as const) {
    await using bed = await startPartBed()
    await bed.mirror.fetch([main])
    if (cause === 'server') await runTestGit(bed.served, ['config', 'uploadpack.allowFilter', 'false'])
    const mirror = await bed.reopen(cause === 'setting' ? 'whole' : 'needed')
    assert.equal(mirror.isPart, true)
    const head = await bed.source.commitFiles({ 'app/a.yaml': 'a: 4\n' }, 'Version 4\n')
    await bed.push()
    bed.answer(503)
    await assert.rejects(mirror.fetch([main]), UnavailableError)
    assert.equal(await mirror.hasObject(await bed.source.git.revparse(['HEAD~1'])), true)
    bed.answer(undefined)
    await mirror.fetch([main])
    assert.equal(mirror.isPart, false)
    assert.equal(await mirror.objects.resolve('refs/wadi/single/main'), head)
    await assertWhole(mirror)
    const copies = await readdir(path.dirname(mirror.directory))
    assert.deepEqual(
      copies.filter((name) => name.startsWith('mirror')),
      ['mirror'],
    )
  }
})

test('a file that cannot be fetched now is an error that names it, and is read once it can', async () => {
  await using bed = await startPartBed()
  const { mirror, source } = bed
  await mirror.fetch([main])
  const tree = await treeOf(mirror, await source.head())
  for (const status of [403, 404, 500]) {
    bed.answer(status)
    await assert.rejects(tree.read('app/a.yaml', 100), {
      name: 'UnavailableError',
      message: /^file "app\/a\.yaml" of commit [0-9a-f]{40}: .*http:\/\/127/,
    })
  }
  await assert.rejects(mirror.commitRange(undefined, await source.head()), UnavailableError)
  bed.answer(undefined)
  assert.equal((await tree.read('app/a.yaml', 100)).toString(), 'a: 3\n')
  assert.equal(mirror.isPart, true)
})

test('files of a commit that a forced push dropped are an error, and those of others are read beside it', async () => {
  await using bed = await startPartBed()
  const { mirror, source, served } = bed
  const dropped = await source.commitFiles({ 'app/a.yaml': 'secret: gone\n' }, 'Dropped\n')
  await bed.push()
  await mirror.fetch([main])
  await source.git.raw(['reset', '-q', '--hard', 'HEAD~1'])
  const head = await source.commitFiles({ 'app/a.yaml': 'a: 5\n' }, 'Version 5\n')
  await bed.push()
  await runTestGit(served, ['reflog', 'expire', '--expire=now', '--all'])
  await runTestGit(served, ['gc', '-q', '--prune=now'])
  await mirror.fetch([main])
  const read = async (sha: string): Promise<string> =>
    (await (await treeOf(mirror, sha)).read('app/a.yaml', 100)).toString()
  const [old, now] = await Promise.allSettled([read(dropped), read(head)])
  assert.ok(old.status === 'rejected' && old.reason instanceof UnavailableError)
  assert.deepEqual(now, { status: 'fulfilled', value: 'a: 5\n' })
  await assert.rejects(
    mirror.completeHistory([dropped]).then(() => read(dropped)),
    UnavailableError,
  )
})

test('a mirror that lost a pack fetches its objects again', async () => {
  await using bed = await startPartBed()
  const { mirror, source } = bed
  await mirror.fetch([main])
  const first = await source.head()
  const packs = path.join(mirror.directory, 'objects', 'pack')
  const known = new Set(await readdir(packs))
  await mirror.commitRange(undefined, first)
  await mirror.objects.close()
  for (const name of await readdir(packs)) if (known.has(name)) await rm(path.join(packs, name))
  const again = await bed.reopen()
  const head = await source.commitFiles({ 'app/a.yaml': 'a: 4\n' }, 'Version 4\n')
  await bed.push()
  await again.fetch([main])
  assert.equal((await (await treeOf(again, head)).read('app/a.yaml', 100)).toString(), 'a: 4\n')
  await assertWhole(again)
  assert.equal(again.isPart, true)
})

test('a whole mirror that is there stays whole', async () => {
  await using bed = await startPartBed()
  await bed.mirror[Symbol.asyncDispose]()
  await rm(bed.mirror.directory, { recursive: true })
  const whole = await bed.reopen('whole')
  await whole.fetch([main])
  await whole[Symbol.asyncDispose]()
  const upgraded = await bed.reopen('needed')
  assert.equal(upgraded.isPart, false)
  await bed.source.commitFiles({ 'app/a.yaml': 'a: 4\n' }, 'Version 4\n')
  await bed.push()
  await upgraded.fetch([main])
  await assertWhole(upgraded)
  await assert.rejects(stat(path.join(upgraded.directory, 'wadi-part')))
})

test('a version that knows no parts makes a mirror that lacks objects again when it opens it', async () => {
  await using bed = await startPartBed()
  await bed.mirror.fetch([main])
  await bed.mirror[Symbol.asyncDispose]()
  // Such a version looks at all that a repository of git has, and not at the mark of a part.
  await rm(path.join(bed.mirror.directory, 'wadi-part'))
  const downgraded = await bed.reopen('whole')
  assert.deepEqual(await kinds(downgraded), [])
  await downgraded.fetch([main])
  await assertWhole(downgraded)
})

test('a fork is fetched from where it differs, and its files from either repository', async () => {
  await using bed = await startPartBed()
  const { mirror, source, server } = bed
  await mirror.fetch([main])
  const fork = await server.createRepository('fork.git')
  const base = await source.head()
  await source.git.raw(['checkout', '-q', '-b', 'proposal'])
  const proposed = await source.commitFiles({ 'app/a.yaml': 'a: proposed\n' }, 'Proposal\n')
  await source.git.raw(['push', '-q', fork.directory, 'proposal:refs/heads/main'])
  await mirror.completeHistory([base])
  const before = (await kinds(mirror)).length
  await mirror.fetchFrom(fork.url, ['+refs/heads/main:refs/wadi/single/fork'])
  assert.equal((await kinds(mirror)).length, before + 4)
  const tree = await treeOf(mirror, proposed)
  assert.equal((await tree.read('app/a.yaml', 100)).toString(), 'a: proposed\n')
  assert.equal((await tree.read('other/c.yaml', 100)).toString(), 'c: 3\n')
  assert.equal(await mirror.mergeBase(proposed, base), base)
  assert.equal(mirror.isPart, true)
})
