import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServiceIdentity } from '@wadi/rpc/service-identity.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { type Author, conditionsOf, currentAuthor, readAuthor, statusWithAuthor } from './author.ts'

const author: Author = { subject: { sub: 'anna', groups: ['team'] }, projects: ['dev'], generation: 2 }
const sealOf = (byte: number) =>
  createServiceIdentity({ key: Buffer.alloc(32, byte), service: 'appset-service' }).sealFor('test')
const seal = sealOf(1)

function setWith(status: Resource['status'] = {}, generation = 2, uid = 'one'): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', generation, uid },
    status,
  }
}

const written = statusWithAuthor(setWith(), author, seal, new Date('2026-01-01T00:00:00.5Z'))

test('the author of a set is read as it was stored, beside other conditions and in place of the previous one', () => {
  assert.deepEqual(readAuthor(setWith(written), seal), author)
  assert.deepEqual(currentAuthor(setWith(written), seal), author)
  const up = { type: 'ResourcesUpToDate', status: 'True' }
  const before = setWith({ health: 'x', conditions: [up, ...conditionsOf(written)] })
  const next = statusWithAuthor(before, { ...author, projects: [] }, seal, new Date(0))
  assert.deepEqual(
    conditionsOf(next).map(({ type }) => type),
    ['Authorized', 'ResourcesUpToDate'],
  )
  assert.equal(next['health'], 'x')
  assert.deepEqual(readAuthor(setWith(next), seal), { ...author, projects: [] })
})

test('a set that was changed since has no author, and neither has one with a status of another kind', () => {
  assert.equal(currentAuthor(setWith(written, 3), seal), undefined)
  const [condition] = conditionsOf(written)
  const messages = [undefined, null, 'anna', '{}', '[]', '{"subject":"anna"}', '{"subject":1,"generation":2}']
  for (const message of messages) {
    assert.equal(readAuthor(setWith({ conditions: [{ ...condition, message }] }), seal), undefined)
  }
  assert.equal(readAuthor(setWith({ conditions: 'x' }), seal), undefined)
})

test('an author that others wrote is none: another name, project, set or key', () => {
  const [condition] = conditionsOf(written)
  const message = String(condition?.['message'])
  for (const forged of [
    message.replace('anna', 'root'),
    message.replace('team', 'admins'),
    message.replace('"dev"', '"dev","prod"'),
    message.replace('"generation":2', '"generation":3'),
    message.replace(/"signature":"./, '"signature":"!'),
  ]) {
    assert.notEqual(forged, message)
    assert.equal(readAuthor(setWith({ conditions: [{ ...condition, message: forged }] }), seal), undefined)
  }
  assert.equal(readAuthor(setWith(written, 2, 'another'), seal), undefined)
  assert.equal(readAuthor(setWith(written), sealOf(2)), undefined)
})
