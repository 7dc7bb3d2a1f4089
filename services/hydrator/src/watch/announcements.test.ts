import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Announcements } from './announcements.ts'

const repoUrl = 'https://git.example.com/dry.git'

test('what was announced is given to one run', () => {
  const announcements = new Announcements()
  const announced = [{ repoUrl, branch: 'main', sha: '1' }]
  announcements.add('dev', announced)
  assert.deepEqual(announcements.take('prod'), [])
  assert.deepEqual(announcements.take('dev'), announced)
  assert.deepEqual(announcements.take('dev'), [])
})

test('of one branch the newest announcement is kept, in any spelling of the repository', () => {
  const announcements = new Announcements()
  const stable = { repoUrl, branch: 'stable', sha: '1' }
  const newest = { repoUrl: 'https://GIT.example.com/dry', branch: 'main', sha: '2' }
  announcements.add('dev', [{ repoUrl, branch: 'main', sha: '1' }, stable])
  announcements.add('dev', [newest])
  announcements.add('dev', [])
  assert.deepEqual(announcements.take('dev'), [stable, newest])
})
