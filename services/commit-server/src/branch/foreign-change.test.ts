import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  directory,
  directoryWithFiles,
  HydratedRepositoryFixture,
} from '../commit/hydrated-repository-fixture.ts'
import { findForeignChange } from './foreign-change.ts'

async function compare(fixture: HydratedRepositoryFixture, knownHead: string, syncBranch = '') {
  const { mirror, trees, signal } = fixture
  return findForeignChange(mirror, trees, knownHead, await fixture.state('env/dev', syncBranch), signal)
}

test('the head that Wadi left, and commits of its own on top, are no foreign change', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const { state } = await fixture.write({ dry: 1, directories: [directory('a', '1')] })
  const known = state.head ?? ''
  assert.deepEqual(await compare(fixture, known), { change: undefined, unchanged: true })
  const newer = await fixture.write({ base: state, dry: 2, directories: [directory('a', '2')] })
  const ownHead = newer.state.head
  assert.deepEqual(await compare(fixture, known), { change: undefined, unchanged: false, ownHead })
})

test('changes of files that Wadi wrote are reported, also in the directory files; others and an edit that was reverted are not', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const { state } = await fixture.write({
    dry: 1,
    directories: [directoryWithFiles('a', '1', { 'x/y': 'x\n' })],
  })
  const known = state.head ?? ''
  await fixture.pushForeign('env/dev', {
    'README.md': 'ours\n',
    'a/patch.yaml': 'a\n',
    'a/files/z': 'z\n',
    'b/manifest.yaml': 'b\n',
  })
  assert.deepEqual(await compare(fixture, known), { change: undefined, unchanged: true })
  const wrong = await fixture.pushForeign('env/dev', {
    'a/files/x/y': 'changed\n',
    'a/manifest.yaml': undefined,
  })
  const { change } = await compare(fixture, known)
  assert.deepEqual(
    [change?.kind, change?.commit, change?.paths],
    ['edited', wrong, ['a/files/x/y', 'a/manifest.yaml']],
  )
  assert.equal(change?.author, 'Dry Author <author@example.com>')
  await fixture.pushForeign('env/dev', { 'a/files/x/y': 'x\n', 'a/manifest.yaml': 'value: 1\n' })
  assert.deepEqual(await compare(fixture, known), { change: undefined, unchanged: true })
})

test('a commit of Wadi on top of a foreign one overwrites only what it writes', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const directories = [directory('a', '1'), directory('b', '1')]
  const { state } = await fixture.write({ dry: 1, directories })
  const theirs = await fixture.pushForeign('env/dev', {
    'a/manifest.yaml': 'evil\n',
    'b/manifest.yaml': 'evil\n',
  })
  const onTop = await fixture.write({ base: state, dry: 2, directories: [directory('a', '2')] })
  assert.equal(onTop.rebuilt, true)
  const { change } = await compare(fixture, state.head ?? '')
  assert.deepEqual([change?.kind, change?.commit, change?.paths], ['edited', theirs, ['b/manifest.yaml']])
})

test('a branch that is gone, rewound or replaced is recognised, and one that was merged is none of these', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const first = await fixture.write({ dry: 1, directories: [directory('a', '1')] })
  const second = await fixture.write({ base: first.state, dry: 2, directories: [directory('a', '2')] })
  const known = second.hydratedSha
  const point = (branch: string, to: string) => fixture.git('update-ref', `refs/heads/${branch}`, to)
  await point('env/dev', first.hydratedSha)
  const rewound = (await compare(fixture, known)).change
  assert.deepEqual(
    [rewound?.kind, rewound?.paths, rewound?.commit],
    ['rewound', ['a/hydrator.metadata', 'a/manifest.yaml', 'hydrator.metadata'], ''],
  )
  const other = await fixture.pushForeign('other', { 'a/manifest.yaml': 'evil\n' })
  await point('env/dev', other)
  assert.equal((await compare(fixture, known)).change?.kind, 'rewritten')
  await fixture.git('update-ref', '-d', 'refs/heads/env/dev')
  assert.equal((await compare(fixture, known)).change?.kind, 'deleted')
  await point('env/base', first.hydratedSha)
  assert.equal((await compare(fixture, known, 'env/base')).change?.kind, 'deleted')
  await point('env/base', known)
  assert.equal((await compare(fixture, known, 'env/base')).change, undefined)
})

test('a head that the server does not send any more cannot be compared, which is reported as another history', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const head = await fixture.pushForeign('env/dev', { x: 'x\n' })
  const { change } = await compare(fixture, 'e'.repeat(40))
  assert.deepEqual([change?.kind, change?.commit, change?.paths], ['rewritten', head, []])
})

test('a commit without a note is the own one of an interrupted run when it changes the record of the root', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const { mirror, trees, signal } = fixture
  const { state } = await fixture.write({ dry: 1, directories: [directory('a', '1')] })
  const known = state.head ?? ''
  const interrupted = { interrupted: true }
  const left = { 'a/manifest.yaml': 'value: 2\n', 'hydrator.metadata': `{"drySha":"${'2'.repeat(40)}"}\n` }
  await fixture.pushForeign('env/dev', left)
  const compareNow = async (options?: { interrupted: boolean }) =>
    (await findForeignChange(mirror, trees, known, await fixture.state(), signal, options)).change
  assert.equal((await compareNow())?.kind, 'edited')
  assert.equal(await compareNow(interrupted), undefined)
  await fixture.pushForeign('env/dev', { 'a/manifest.yaml': 'evil\n' })
  assert.deepEqual((await compareNow(interrupted))?.paths, ['a/manifest.yaml'])
})
