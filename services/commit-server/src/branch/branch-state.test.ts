import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directory, drySha, HydratedRepositoryFixture } from '../commit/hydrated-repository-fixture.ts'

test('an empty repository has no branch, no notes and no dry commit', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  assert.deepEqual(await fixture.state('env/dev', 'env/base'), {
    head: undefined,
    syncHead: undefined,
    notes: undefined,
    note: '',
    drySha: '',
  })
})

test('the note of the head takes precedence over the metadata of the root', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const directories = [directory('a', '1')]
  const first = await fixture.write({ dry: 1, directories })
  await fixture.write({ base: first.state, dry: 2, directories })
  const { note, drySha: dry, head } = await fixture.state()
  const wanted = { note: `{"drySha":"${drySha(2)}"}\n`, dry: drySha(2), head: first.hydratedSha }
  assert.deepEqual({ note, dry, head }, wanted)
})

test('a head without a note is reported by the metadata of the root, as Argo CD writes it', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const metadata = JSON.stringify({ repoURL: 'https://git.example.com/a', drySha: drySha(4) }, undefined, 2)
  const head = await fixture.pushForeign('env/dev', { 'hydrator.metadata': metadata })
  assert.deepEqual(await fixture.state(), {
    head,
    syncHead: undefined,
    notes: undefined,
    note: '',
    drySha: drySha(4),
  })
})

test('metadata and notes that anybody may have written are no dry commit unless they hold one', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  for (const text of ['', 'null', '{', '{"drySha":7}', '{"drySha":"main"}']) {
    const head = await fixture.pushForeign('env/dev', { 'hydrator.metadata': text })
    const add = ['notes', '--ref', 'refs/notes/hydrator.metadata', 'add', '--force', '--allow-empty']
    await fixture.git(...add, '-m', text, head)
    const { note, drySha: dry } = await fixture.state()
    assert.deepEqual({ note, dry }, { note: '', dry: '' }, text)
  }
})

test('a directory or link called hydrator.metadata is ignored', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  await fixture.pushForeign('env/dev', { 'hydrator.metadata/x': `{"drySha":"${drySha(1)}"}` })
  assert.equal((await fixture.state()).drySha, '')
})

test('the head of another sync branch is reported, that of the branch itself not twice', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const head = await fixture.pushForeign('env/dev', { a: 'a\n' })
  const next = await fixture.pushForeign('env/next', { b: 'b\n' })
  const state = await fixture.state('env/next', 'env/dev')
  assert.deepEqual([state.head, state.syncHead], [next, head])
  assert.equal((await fixture.state('env/dev', 'env/dev')).syncHead, undefined)
})

test('a state is that of the remote at the moment, also after the branch was rewritten', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  await fixture.write({ dry: 1, directories: [directory('a', '1')] })
  const head = await fixture.pushForeign('other', { 'x.txt': 'x\n' })
  await fixture.git('update-ref', 'refs/heads/env/dev', head)
  const state = await fixture.state()
  assert.deepEqual([state.head, state.note, state.drySha], [head, '', ''])
})
