import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSigningKeyList } from './signing-key-list.ts'

test('keys are for the projects and repositories that they name, in every spelling of a repository', () => {
  const text = `
- key: /keys/web
  passphraseFile: /keys/passphrase
  projects: [web, shop]
- key: /keys/shared.pub
  agentSocket: /run/agent
  repositories: ['https://git.example.com/shared/*']
- { key: /keys/both, projects: [api], repositories: [git@git.example.com:api.git] }
- key: /keys/all
`
  const entries = readSigningKeyList(text, 'WADI_SIGNING_KEYS')
  const [first, second] = entries
  assert.deepEqual(
    [first?.setting, first?.passphraseFile, second?.agentSocket],
    ['WADI_SIGNING_KEYS[0]', '/keys/passphrase', '/run/agent'],
  )
  const keysFor = (project: string, repoUrl: string) =>
    entries
      .filter(({ isFor }) => isFor(project, repoUrl))
      .map(({ keyPath }) => keyPath.slice('/keys/'.length))
  const elsewhere = 'https://git.example.com/elsewhere.git'
  assert.deepEqual(keysFor('shop', elsewhere), ['web', 'all'])
  assert.deepEqual(keysFor('', elsewhere), ['all'])
  assert.deepEqual(keysFor('shop', 'https://GIT.example.com/shared/a.git/'), ['web', 'shared.pub', 'all'])
  assert.deepEqual(keysFor('api', 'ssh://git@git.example.com/api'), ['both', 'all'])
  assert.deepEqual(keysFor('api', elsewhere), ['all'])
})

test('a list that cannot be read is an error that names line or field', () => {
  const cases: [string, RegExp][] = [
    ['- key: [', /WADI_SIGNING_KEYS:/],
    ['key: /a', /WADI_SIGNING_KEYS must be a list/],
    ['- projects: [web]', /WADI_SIGNING_KEYS\[0\]\.key is required/],
    ['- key: /a\n  project: [web]', /unknown field WADI_SIGNING_KEYS\[0\]\.project; did you mean projects/],
    ['- key: /a\n  repositories: ["["]', /WADI_SIGNING_KEYS\[0\]\.repositories: /],
  ]
  for (const [text, message] of cases) {
    assert.throws(
      () => readSigningKeyList(text, 'WADI_SIGNING_KEYS'),
      { name: 'InvalidInputError', message },
      text,
    )
  }
})
