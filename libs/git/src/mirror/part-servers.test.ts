import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { CanceledError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { openCommitTree, TreeCache } from '../objects/commit-tree.ts'
import { startPackServer } from '../smart-http/pack-server-fixture.ts'
import { type Mirror, openMirror } from './mirror.ts'
import type { WholeReason } from './parts.ts'

type End = 'end' | 'hang' | 'cut'

/** One answer to a request for objects: the objects that it has, and how it ends. */
type Answer = { objects: readonly string[]; end?: End; onSent?: () => void }

const branch = '+refs/heads/main:refs/wadi/single/main'

/** A mirror whose server claims to send parts, and sends given answers: one after the other, the last one again and again. */
async function startBed(answersFor: (ids: Record<'commit' | 'tree' | 'blob', string>) => Answer[]) {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-part-server-'))).path
  const source = await createRepository(path.join(scratch, 'source'))
  const commit = await source.commitFiles({ 'a.yaml': 'a: 1\n' }, 'First\n')
  const [tree, blob] = [
    await source.git.revparse([`${commit}^{tree}`]),
    await source.git.revparse([`${commit}:a.yaml`]),
  ]
  const answers = answersFor({ commit, tree, blob })
  let sent = 0
  const send = (write: (channel: number, content: Buffer) => void): End => {
    const { objects, end = 'end', onSent } = answers[Math.min(sent, answers.length - 1)] ?? { objects: [] }
    sent += 1
    const input = `${objects.join('\n')}\n`
    const pack = execFileSync('git', ['pack-objects', '--stdout', '-q'], { cwd: source.directory, input })
    write(1, end === 'end' ? pack : pack.subarray(0, 20))
    onSent?.()
    return end
  }
  const server = stack.use(await startPackServer(commit, send, 'shallow filter'))
  const whole: WholeReason[] = []
  const mirror = stack.use(
    await openMirror({
      directory: path.join(scratch, 'mirror'),
      url: server.url,
      policy: { allowFile: false, allowPlainHttp: 'loopback' },
      credentials: async () => undefined,
      gitFetch: 'needed',
      onWhole: (reason) => whole.push(reason),
    }),
  )
  const owned = stack.move()
  return { mirror, commit, whole, sent: () => sent, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function read(mirror: Mirror, commit: string): Promise<string> {
  return (
    await (await openCommitTree(mirror.objects, new TreeCache(), commit)).read('a.yaml', 100)
  ).toString()
}

test('a server that offers parts and sends everything is asked for nothing more', async () => {
  await using bed = await startBed(({ commit, tree, blob }) => [{ objects: [commit, tree, blob] }])
  await bed.mirror.fetch([branch])
  assert.equal(await read(bed.mirror, bed.commit), 'a: 1\n')
  assert.equal(bed.sent(), 1)
})

test('a server that sends something else than a file was asked for gives an error, and no file', async () => {
  await using bed = await startBed(({ commit, tree }) => [{ objects: [commit, tree] }])
  await bed.mirror.fetch([branch])
  await assert.rejects(read(bed.mirror, bed.commit), {
    name: 'UnavailableError',
    message: /^file "a\.yaml" of commit [0-9a-f]{40}: .* lacks object [0-9a-f]{40}/,
  })
})

test('a server that sends something else three times in a row is mirrored whole, which is reported once', async () => {
  await using bed = await startBed(({ commit, tree, blob }) => [
    ...Array.from({ length: 4 }, () => ({ objects: [commit, tree] })),
    { objects: [commit, tree, blob] },
  ])
  await bed.mirror.fetch([branch])
  for (const _ of [1, 2]) {
    await assert.rejects(read(bed.mirror, bed.commit), UnavailableError)
    assert.equal(bed.mirror.isPart, true)
  }
  assert.deepEqual(bed.whole, [])
  assert.equal(await read(bed.mirror, bed.commit), 'a: 1\n')
  assert.equal(bed.mirror.isPart, false)
  assert.deepEqual(bed.whole, ['odd answers'])
})

test('a server whose first answer is odd is mirrored whole', async () => {
  await using bed = await startBed(({ commit, tree, blob }) => [
    { objects: [blob] },
    { objects: [blob] },
    { objects: [commit, tree, blob] },
  ])
  await bed.mirror.fetch([branch])
  assert.equal(bed.mirror.isPart, false)
  assert.deepEqual(bed.whole, ['odd answers'])
  assert.equal(await read(bed.mirror, bed.commit), 'a: 1\n')
})

test('a server that is cut off while it sends a file gives an error, and the file the next time', async () => {
  await using bed = await startBed(({ commit, tree, blob }) => [
    { objects: [commit, tree] },
    { objects: [blob], end: 'cut' },
    { objects: [blob] },
  ])
  await bed.mirror.fetch([branch])
  await assert.rejects(read(bed.mirror, bed.commit), UnavailableError)
  assert.equal(await bed.mirror.hasObject(bed.commit), true)
  assert.equal(await read(bed.mirror, bed.commit), 'a: 1\n')
})

test('a server that hangs while it sends a file does not keep a mirror from being closed', async () => {
  const hanging = Promise.withResolvers<void>()
  await using bed = await startBed(({ commit, tree, blob }) => [
    { objects: [commit, tree] },
    { objects: [blob], end: 'hang', onSent: hanging.resolve },
  ])
  await bed.mirror.fetch([branch])
  const rejected = assert.rejects(read(bed.mirror, bed.commit), CanceledError)
  await hanging.promise
  await bed.mirror[Symbol.asyncDispose]()
  await rejected
})
