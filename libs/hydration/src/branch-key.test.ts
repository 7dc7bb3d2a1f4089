import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObjectName } from '@wadi/resources/object-checks.ts'
import { branchKey } from './branch-key.ts'

test('spellings of one repository have one key for a branch', () => {
  const spellings = [
    'https://git.example.com/Org/Deploy.git',
    'https://git.example.com/org/deploy',
    ' HTTPS://GIT.example.com/org/deploy.git ',
  ]
  const keys = new Set(spellings.map((url) => branchKey(url, 'environments/prod')))
  assert.equal(keys.size, 1)
  assert.equal(
    branchKey('git@git.example.com:org/deploy.git', 'main'),
    branchKey('ssh://git@git.example.com/org/deploy', 'main'),
  )
})

test('another repository or branch has another key; the case of a branch matters', () => {
  const url = 'https://git.example.com/org/deploy'
  const keys = [
    branchKey(url, 'environments/prod'),
    branchKey(url, 'environments/Prod'),
    branchKey(`${url}/environments`, 'prod'),
    branchKey(`${url}2`, 'environments/prod'),
    branchKey(url, 'environments/prod\n'),
  ]
  assert.equal(new Set(keys).size, keys.length)
})

test('a key is the name of an object, whatever the branch is called', () => {
  for (const branch of ['main', 'Feature/ä_ö', 'x'.repeat(1000), '']) {
    const key = branchKey('https://git.example.com/org/deploy', branch)
    assert.match(key, /^branch-[0-9a-f]{40}$/)
    assert.ok(isObjectName(key))
  }
})
