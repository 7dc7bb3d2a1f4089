import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeCounts, generatorNames, setErrors, setsAfter } from './application-set.ts'

const set = {
  metadata: { name: 'shops' },
  spec: { generators: [{ list: {}, selector: {} }, { git: {} }] },
  status: { conditions: [{ type: 'ErrorOccurred', status: 'True', message: 'no such repository' }] },
}

test('a set is shown by its generators and its errors', () => {
  assert.deepEqual(generatorNames(set), ['list', 'git'])
  assert.deepEqual(setErrors(set), ['no such repository'])
})

test('what a dry run would do is counted', () => {
  assert.equal(changeCounts(['create', 'unchanged', 'create', 'delete']), '2 created, 1 unchanged, 1 deleted')
  assert.equal(changeCounts([]), 'no Applications')
})

test('what the server reports of a set replaces, adds or removes it, in the order of the list', () => {
  const named = (name: string, version = '1') => ({ metadata: { namespace: 'argocd', name, version } })
  const sets = [named('a'), named('c')]
  assert.deepEqual(setsAfter(sets, { type: 'ADDED', applicationSet: named('b') }), [
    named('a'),
    named('b'),
    named('c'),
  ])
  assert.deepEqual(setsAfter(sets, { type: 'MODIFIED', applicationSet: named('c', '2') }), [
    named('a'),
    named('c', '2'),
  ])
  assert.deepEqual(setsAfter(sets, { type: 'DELETED', applicationSet: named('a') }), [named('c')])
})
