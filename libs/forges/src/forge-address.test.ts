import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { apiBase, comparableApi } from './forge-address.ts'
import { gitea } from './gitea/gitea-forge.ts'
import { github } from './github/github-forge.ts'
import { gitlab } from './gitlab/gitlab-forge.ts'

test('the part for the version is added where it is missing', () => {
  assert.equal(apiBase(github, '').href, 'https://api.github.com/')
  assert.equal(apiBase(github, 'https://github.example.com').href, 'https://github.example.com/api/v3/')
  assert.equal(apiBase(github, 'https://ghe.example.com/api/v3/').href, 'https://ghe.example.com/api/v3/')
  assert.equal(apiBase(github, 'https://api.acme.ghe.com/').href, 'https://api.acme.ghe.com/')
  assert.equal(apiBase(gitlab, '').href, 'https://gitlab.com/api/v4/')
  assert.equal(apiBase(gitlab, 'https://example.com/gitlab/').href, 'https://example.com/gitlab/api/v4/')
  assert.equal(apiBase(gitea, 'http://gitea:3000').href, 'http://gitea:3000/api/v1/')
})

test('only plain addresses of http and https are taken, and none is repeated', () => {
  for (const api of [
    'ftp://a.example',
    'a.example',
    'file:///etc/passwd',
    'https://user:secret@a.example',
    'https://a.example/?token=secret',
    'https://a.example/#secret',
  ]) {
    assert.throws(
      () => apiBase(gitlab, api),
      (error) => error instanceof InvalidInputError && !error.message.includes('secret'),
    )
  }
})

test('addresses are compared without the slash at the end', () => {
  assert.equal(comparableApi('https://API.github.com/'), comparableApi('https://api.github.com'))
  assert.notEqual(comparableApi('https://api.github.com'), comparableApi('http://api.github.com'))
})
