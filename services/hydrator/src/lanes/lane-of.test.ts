import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanesByProject } from './lane-of.ts'

const repoUrl = 'https://git.example.com/shop/dry.git'

test('branches of a project share a lane, in which each repository has a part', () => {
  const laneOf = lanesByProject('')
  const lane = laneOf({ project: 'shop', repoUrl })
  assert.deepEqual(lane, laneOf({ project: 'shop', repoUrl: 'https://GIT.example.com/shop/dry' }))
  assert.equal(lane.weight, 1)
  const other = laneOf({ project: 'shop', repoUrl: 'https://git.example.com/shop/other' })
  assert.deepEqual([other.tenant, other.part === lane.part], ['shop', false])
})

test('weights are read from the setting, and wrong ones are errors', () => {
  const laneOf = lanesByProject('shop=3, infra=12')
  const weights = ['shop', 'infra', 'web'].map((project) => laneOf({ project, repoUrl }).weight)
  assert.deepEqual(weights, [3, 12, 1])
  for (const wrong of ['shop', 'shop=0', 'shop=13', '=2', 'shop=1.5']) {
    assert.throws(() => lanesByProject(wrong), /WADI_PROJECT_WEIGHTS must look like shop=3,infra=2/, wrong)
  }
})
