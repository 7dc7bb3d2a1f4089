import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotFoundError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { InjectedAnswer } from '@wadi/testing/git-http-server.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { pktLine } from '../smart-http/pkt-line.ts'
import { assertWhole } from './mirror-fixture.ts'
import { main, startPartBed, treeOf } from './part-mirror-fixture.ts'

/** The answer of a server that does not give an object by name. */
const refusal = {
  status: 200,
  headers: { 'content-type': 'application/x-git-upload-pack-result' },
  body: pktLine(`ERR want ${'1'.repeat(40)} not valid\n`),
}

/** Answers some requests of a method, and leaves the others to the server. */
function times(count: number, method: 'GET' | 'POST', injected: number | InjectedAnswer) {
  let left = count
  return (request: { method: string }) => (request.method === method && left-- > 0 ? injected : undefined)
}

test('histories that are asked for at once come once', async () => {
  await using bed = await startPartBed()
  const { mirror, source } = bed
  await mirror.fetch([main])
  const head = await source.head()
  const parent = await source.git.revparse(['HEAD~1'])
  await Promise.all(
    [[head], [head], [head, head], [head, parent]].map((shas) => mirror.completeHistory(shas)),
  )
  assert.equal(mirror.isPart, true)
  assert.equal(mirror.generation, 0)
  await assertWhole(mirror)
})

test('a mirror with annotated tags offers their commits, and gets what is new', async () => {
  await using bed = await startPartBed()
  const { mirror, source, server } = bed
  await source.git.raw(['tag', '-a', '-m', 'First', 'v1'])
  await bed.push()
  await mirror.fetch(['+refs/tags/*:refs/tags/*'])
  const head = await source.commitFiles({ 'app/a.yaml': 'a: 4\n' }, 'Version 4\n')
  await source.git.raw(['tag', '-a', '-m', 'Second', 'v2'])
  await bed.push()
  server.requests.length = 0
  await mirror.fetch(['+refs/tags/*:refs/tags/*'])
  assert.equal(server.requests.length, 2)
  assert.equal(mirror.isPart, true)
  assert.equal(await mirror.objects.resolve('refs/tags/v2^{commit}'), head)
  await assertWhole(mirror)
})

test('what waits while a mirror becomes whole is fetched whole, and the mirror is made once', async () => {
  await using bed = await startPartBed()
  const commitAside = async (branch: string): Promise<string> => {
    await bed.source.git.raw(['checkout', '-q', '-b', branch, 'main~1'])
    const sha = await bed.source.commitFiles({ 's.yaml': `s: ${branch}\n` }, `${branch}\n`)
    await bed.source.git.raw(['checkout', '-q', 'main'])
    return sha
  }
  const [side, other] = [await commitAside('side'), await commitAside('other')]
  const blob = await bed.source.git.revparse([`${side}:s.yaml`])
  await bed.push()
  await bed.mirror.fetch(['+refs/heads/*:refs/wadi/heads/*'])
  const mirror = await bed.reopen()
  await runTestGit(bed.served, ['config', 'uploadpack.allowFilter', 'false'])
  await bed.source.commitFiles({ 'app/a.yaml': 'a: 4\n' }, 'Version 4\n')
  await bed.push()
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  bed.answer(async () => {
    arrived.resolve()
    await released.promise
    return undefined
  })
  const fetched = mirror.fetch([main])
  await arrived.promise
  const completed = mirror.completeHistory([other])
  const loaded = mirror.objects.absent?.load(side, [blob])
  // It looks first at what is there, as this does.
  for (let looks = 0; looks < 3; looks += 1) await mirror.raw(['cat-file', '-e', side])
  released.resolve()
  await Promise.all([fetched, loaded, completed])
  assert.equal(mirror.isPart, false)
  assert.equal(mirror.generation, 1)
  for (const sha of [side, other]) {
    const read = await (await treeOf(mirror, sha)).read('s.yaml', 100)
    assert.equal(read.toString(), sha === side ? 's: side\n' : 's: other\n')
  }
  await assertWhole(mirror)
})

test('a mirror is made again once for one damage, after its maintenance, and reads meanwhile can be tried again', async () => {
  await using bed = await startPartBed()
  const { mirror, source } = bed
  await mirror.fetch([main])
  const head = await source.head()
  const seen = mirror.generation
  const packed = mirror.maintain()
  const ended = new AbortController()
  const replaced = mirror.recreate(seen).finally(() => ended.abort())
  while (!ended.signal.aborted) {
    await mirror.objects.resolve(head).catch((error: unknown) => assert.ok(error instanceof UnavailableError))
  }
  await Promise.all([packed, replaced])
  assert.equal(await mirror.hasObject(head), false)
  await mirror.fetch([main])
  await mirror.recreate(seen)
  assert.equal(await mirror.hasObject(head), true)
  assert.equal(mirror.isPart, true)
})

test('one answer that is odd, or that there is no repository, is an error of that moment', async () => {
  await using bed = await startPartBed()
  await bed.mirror.fetch([main])
  const mirror = await bed.reopen()
  const tree = await treeOf(mirror, await bed.source.head())
  bed.answer(times(1, 'GET', 400))
  await assert.rejects(mirror.fetch(['+refs/heads/main:refs/wadi/single/other']), UnavailableError)
  for (const injected of [times(1, 'POST', 404), times(2, 'POST', 400)]) {
    bed.answer(undefined)
    await mirror.fetch(['+refs/heads/main:refs/wadi/single/other'])
    bed.answer(injected)
    await assert.rejects(tree.read('app/a.yaml', 100), UnavailableError)
    assert.equal(mirror.isPart, true)
  }
  assert.equal((await tree.read('app/a.yaml', 100)).toString(), 'a: 3\n')
  assert.equal(mirror.isPart, true)
})

test('a server that refuses a filter is mirrored whole', async () => {
  await using bed = await startPartBed({ config: { 'uploadpackfilter.tree.allow': 'false' } })
  const { mirror, source } = bed
  await mirror.fetch([main])
  assert.equal(mirror.isPart, true)
  const head = await source.head()
  assert.equal((await mirror.commitRange(undefined, head)).length, 3)
  assert.equal(mirror.isPart, false)
  await assertWhole(mirror)
})

test('a server that has a commit and refuses its file by name is mirrored whole', async () => {
  await using bed = await startPartBed()
  const { mirror, source } = bed
  await mirror.fetch([main])
  const tree = await treeOf(mirror, await source.head())
  bed.answer(times(1, 'POST', refusal))
  assert.equal((await tree.read('app/a.yaml', 100)).toString(), 'a: 3\n')
  assert.equal(mirror.isPart, false)
  await assertWhole(mirror)
})

test('a file of a commit that the server has deleted is asked for each time, and its refs once', async () => {
  await using bed = await startPartBed()
  const { mirror, source, served, server } = bed
  const dropped = await source.commitFiles({ 'app/a.yaml': 'a: gone\n' }, 'Dropped\n')
  await bed.push()
  await mirror.fetch([main])
  await source.git.raw(['reset', '-q', '--hard', 'HEAD~1'])
  await bed.push()
  await runTestGit(served, ['reflog', 'expire', '--expire=now', '--all'])
  await runTestGit(served, ['gc', '-q', '--prune=now'])
  const tree = await treeOf(mirror, dropped)
  const requests: number[] = []
  for (const _ of [1, 2]) {
    server.requests.length = 0
    await assert.rejects(tree.read('app/a.yaml', 100), UnavailableError)
    requests.push(server.requests.length)
  }
  assert.ok(requests[0] !== undefined && requests[0] > 1)
  assert.equal(requests[1], 1)
})

test('a commit that the server has deleted is not found, and nothing else is fetched for it', async () => {
  await using bed = await startPartBed()
  const { mirror, source, served } = bed
  await mirror.fetch([main])
  const dropped = await source.git.revparse(['HEAD~1'])
  await mirror.completeHistory([await source.head()])
  await source.git.raw(['reset', '-q', '--hard', 'HEAD~2'])
  await source.commitFiles({ 'app/a.yaml': 'a: 5\n' }, 'Version 5\n')
  await bed.push()
  await runTestGit(served, ['reflog', 'expire', '--expire=now', '--all'])
  await runTestGit(served, ['gc', '-q', '--prune=now'])
  await assert.rejects(mirror.fetch([dropped]), NotFoundError)
  assert.equal(mirror.isPart, true)
  await mirror.fetch([main])
  assert.equal(mirror.isPart, true)
  await assertWhole(mirror)
})

test('a commit that was asked for before it was pushed counts as one of the server afterwards', async () => {
  await using bed = await startPartBed()
  const { mirror, source } = bed
  await mirror.fetch([main])
  const early = await source.commitFiles({ 'app/a.yaml': 'a: 4\n' }, 'Version 4\n')
  await assert.rejects(mirror.fetch([early]), NotFoundError)
  await bed.push()
  bed.answer(times(1, 'POST', refusal))
  await mirror.fetch([early])
  assert.equal(await mirror.hasObject(early), true)
  assert.equal(mirror.isPart, false)
})
