import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StageFields } from './stage.ts'
import { travelOf } from './travelling-commits.ts'

const stage = (branch: string, drySha: string, targetRevision = 'main'): StageFields => ({
  repoUrl: '',
  branch,
  targetRevision,
  promotedFrom: '',
  drySha,
  version: '',
  since: '',
  nextDrySha: '',
  state: 'Hydrated',
  reason: '',
  pullRequestUrl: '',
  applications: 1,
  hydratedSha: '',
  application: '',
  pullRequest: '',
  stagedSha: '',
  changes: [],
})

const commit = (sha: string, ...parents: string[]) => ({ sha, parents, author: '', date: '', subject: sha })

test('commits of a pull request are nobody else to wait for, and a merge brings them to those that have it', () => {
  const stages = [stage('dev', 'merge'), stage('preview', 'fix', 'refs/pull/7/head'), stage('prod', 'base')]
  const listed = [commit('merge', 'own', 'fix'), commit('own', 'base'), commit('fix', 'base'), commit('base')]
  const { commits, behind } = travelOf(listed, stages)
  assert.deepEqual(
    commits.map(({ sha, stages: having }) => [sha, ...having]),
    [
      ['merge', 0],
      ['own', 0],
      ['fix', 0, 1],
      ['base', 0, 1, 2],
    ],
  )
  assert.deepEqual(behind, [0, 2, 3])
  const open = travelOf(
    [commit('fix', 'base'), commit('own', 'base'), commit('base')],
    [stage('dev', 'own'), stage('preview', 'fix', 'refs/pull/7/head'), stage('prod', 'base')],
  )
  assert.deepEqual(open.behind, [0, 1, 1])
})

test('a stage whose commit is not listed is behind by a number that nobody knows', () => {
  assert.deepEqual(travelOf([commit('one')], [stage('dev', 'one'), stage('prod', 'gone')]).behind, [0, 0])
  assert.deepEqual(travelOf([], []).behind, [])
})
