import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgeNamed } from '@wadi/forges/forges.ts'
import { knownForge } from './known-forge.ts'

const repoUrl = 'https://git.example.com/team/deploy.git'

test('the Secret of the write credentials says which forge a repository has', () => {
  const known = (values: Record<string, string>) => knownForge(repoUrl, { name: 'write', values })
  assert.deepEqual(known({ forge: 'forgejo' }), { forge: forgeNamed('gitea'), forgeUrl: undefined })
  assert.deepEqual(known({ forge: 'gitlab', forgeUrl: 'https://code.example.com' }), {
    forge: forgeNamed('gitlab'),
    forgeUrl: 'https://code.example.com',
  })
  assert.equal(known({ githubAppPrivateKey: 'key' }).forge?.name, 'github')
  assert.equal(known({ forge: 'other' }).forge, undefined)
  assert.deepEqual(knownForge(repoUrl, undefined), {})
})
