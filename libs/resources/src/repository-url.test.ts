import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparableRepositoryURL } from './repository-url.ts'

test('spellings of one repository compare equal', () => {
  for (const [repoURL, comparable] of [
    ['https://GitHub.com/Org/Repo.git', 'https://github.com/org/repo'],
    [' https://github.com/org/repo ', 'https://github.com/org/repo'],
    ['git@github.com:org/repo.git', 'git@github.com/org/repo'],
    ['ssh://git@github.com/org/repo', 'git@github.com/org/repo'],
    ['https://git:8443/org/repo', 'https://git:8443/org/repo'],
  ] as const) {
    assert.equal(comparableRepositoryURL(repoURL), comparable)
  }
})
