import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waterLevels } from './water-levels.ts'

const commit = (sha: string, ...stages: number[]) => ({ sha, stages })

test('a stage is filled from its commit down, and what comes next is above it', () => {
  const commits = [commit('d'), commit('c', 0), commit('b', 0), commit('a', 0, 1)]
  const stages = [
    { drySha: 'c', nextDrySha: 'd' },
    { drySha: 'a', nextDrySha: '' },
    { drySha: '', nextDrySha: 'b' },
    { drySha: 'gone', nextDrySha: 'gone too' },
  ]
  assert.deepEqual(waterLevels(stages, commits), [
    { held: [{ from: 1, to: 4 }], head: 1, coming: { from: 0, to: 1 } },
    { held: [{ from: 3, to: 4 }], head: 3, coming: undefined },
    { held: [], head: -1, coming: { from: 2, to: 4 } },
    { held: [], head: -1, coming: undefined },
  ])
})

test('commits of another branch in between leave a gap', () => {
  const commits = [commit('merge', 0), commit('fix', 0, 1), commit('own', 0), commit('base', 0, 1)]
  assert.deepEqual(
    waterLevels(
      [
        { drySha: 'merge', nextDrySha: '' },
        { drySha: 'fix', nextDrySha: '' },
      ],
      commits,
    )[1],
    {
      held: [
        { from: 1, to: 2 },
        { from: 3, to: 4 },
      ],
      head: 1,
      coming: undefined,
    },
  )
})
