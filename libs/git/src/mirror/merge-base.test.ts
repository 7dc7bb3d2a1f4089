import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMirrorFixture } from './mirror-fixture.ts'

test('the commit that two histories share is found, near and far, ahead and behind, through merges, and where there is none', async () => {
  await using fixture = await startMirrorFixture()
  const { mirror, repository } = fixture
  const { git } = repository
  const commit = (name: string) => repository.commitFiles({ [name]: `${name}\n` }, `${name}\n`)
  const line = [await repository.head()]
  for (let count = 0; count < 12; count++) line.push(await commit(`line-${count}`))
  const [first = '', middle = '', tip = ''] = [line[0], line[6], line.at(-1)]
  await git.raw(['checkout', '-q', '-b', 'side', middle])
  const side = await commit('side')
  await git.raw(['merge', '-q', '--no-edit', 'main'])
  const merge = await repository.head()
  await git.raw(['checkout', '-q', '--orphan', 'alone'])
  const alone = await commit('alone')
  await fixture.update()
  for (const [one, other, shared] of [
    [tip, line.at(-2), line.at(-2)],
    [tip, first, first],
    [first, tip, first],
    [tip, tip, tip],
    [side, tip, middle],
    [side, middle, middle],
    [merge, tip, tip],
    [merge, side, side],
    [merge, middle, middle],
    [alone, tip, undefined],
  ]) {
    assert.equal(await mirror.mergeBase(one ?? '', other ?? ''), shared)
  }
})
