import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '@wadi/resources/resource.ts'
import { type Author, authorStatus, currentAuthor, readAuthor } from './author.ts'

const author: Author = { subject: { sub: 'anna', groups: ['team'] }, projects: ['dev'], generation: 2 }

function setWith(authorization: unknown, generation = 2): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', generation },
    status: { authorization },
  }
}

test('the author of a set is read as it was stored', () => {
  assert.deepEqual(readAuthor(setWith(authorStatus(author))), author)
  assert.deepEqual(currentAuthor(setWith(authorStatus(author))), author)
})

test('a set that was changed since has no author, and neither has one with a status of another kind', () => {
  assert.equal(currentAuthor(setWith(authorStatus(author), 3)), undefined)
  for (const other of [undefined, null, 'anna', {}, { subject: 'anna' }, { subject: 1, generation: 2 }]) {
    assert.equal(readAuthor(setWith(other)), undefined)
  }
  const parts = { subject: 'anna', generation: 2, groups: 'x', projects: [1, 'dev'] }
  assert.deepEqual(readAuthor(setWith(parts)), { ...author, subject: { sub: 'anna', groups: [] } })
})
