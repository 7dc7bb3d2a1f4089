import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { openTestMirror } from '../mirror/mirror-fixture.ts'
import { buildCommits, checkedCommit } from './build-commit.ts'
import { packToSend } from './built-pack.ts'
import { pushRefs } from './push.ts'

const author = { name: 'Wadi', email: 'wadi@example.com', date: new Date('2025-01-01T00:00:00Z') }
const main = 'refs/heads/main'
const notesRef = 'refs/notes/hydrator.metadata'

/** A pushed commit with its note, on which others are built. */
async function startPushed() {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startGitHttpServer())
  const { url, directory } = await server.createRepository('a.git')
  const mirror = stack.use(await openTestMirror(path.join(server.root, 'mirror'), url))
  const build = async (content: string, on?: { head: string; notes: string }) => {
    const changes = [{ path: 'web/manifest.yaml', content }]
    const plan = { parent: on?.head, message: 'Write\n', author, committer: author, changes }
    const notes = { parent: on?.notes, notes: [{ target: 0, content: `of ${content}` }], author }
    const built = await buildCommits(mirror, [checkedCommit(plan)], notes)
    const [head = ''] = built.commits
    const made = { head, notes: built.notes ?? '' }
    const updates = [
      { source: made.head, ref: main, expected: on?.head },
      { source: made.notes, ref: notesRef, expected: on?.notes },
    ]
    return { ...made, pack: built.pack, updates }
  }
  const first = await build('1')
  await pushRefs(mirror, first.updates, { atomic: true, built: first.pack })
  const owned = stack.move()
  return { mirror, directory, build, first, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('commits on what the server has are pushed in the pack that they were built in', async () => {
  await using bed = await startPushed()
  const { mirror, directory, build, first } = bed
  const second = await build('2', first)
  assert.ok(second.pack)
  assert.ok(await packToSend(second.pack, second.updates))
  await pushRefs(mirror, second.updates, { atomic: true, built: second.pack })
  const written = await runTestGit(directory, ['show', `${main}:web/manifest.yaml`])
  assert.equal(written, '2')
  await runTestGit(directory, ['fsck', '--strict', '--connectivity-only'])
  const left = await readdir(path.join(mirror.directory, 'objects', 'pack'))
  assert.deepEqual(
    left.filter((name) => name.startsWith('tmp_')),
    [],
  )
})

test('a pack is not sent alone when it may lack something that the server lacks', async () => {
  await using bed = await startPushed()
  const { mirror, build, first } = bed
  const unpushed = await build('2', first)
  const again = await build('2', first)
  assert.equal(again.pack, undefined)
  const onUnpushed = await build('3', unpushed)
  const { pack } = onUnpushed
  assert.ok(pack)
  const updates = onUnpushed.updates.map((update, index) => ({
    ...update,
    expected: first.updates[index]?.source,
  }))
  assert.equal(await packToSend(pack, updates), undefined)
  const asNew = onUnpushed.updates.map((update) => ({ ...update, expected: undefined }))
  assert.equal(await packToSend(pack, asNew), undefined)
  await pushRefs(mirror, updates, { atomic: true, built: pack })
  assert.equal((await mirror.listRemote()).refs.get(main), onUnpushed.head)
})

test('a pack that is gone, as after packs were joined, is made again for the server', async () => {
  await using bed = await startPushed()
  const { mirror, build, first } = bed
  const second = await build('2', first)
  assert.ok(second.pack)
  await mirror.maintain()
  await rm(second.pack.file, { force: true })
  assert.equal(await packToSend(second.pack, second.updates), undefined)
})
