import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  checkedResource,
  isLabelValue,
  isNamespaceName,
  isObjectName,
  isQualifiedName,
} from './object-checks.ts'

test('names follow DNS-1123', () => {
  const names = [
    'a',
    'a-b.c',
    '1',
    'a'.repeat(253),
    '',
    'A',
    '-a',
    'a-',
    'a..b',
    '.a',
    'a_b',
    'a/b',
    'a'.repeat(254),
  ]
  assert.deepEqual(names.filter(isObjectName), names.slice(0, 4))
  const namespaces = ['a', 'team-a', 'a'.repeat(63), 'a.b', 'a'.repeat(64), 'a\n']
  assert.deepEqual(namespaces.filter(isNamespaceName), namespaces.slice(0, 3))
})

test('label keys may have a domain before a slash, label values may be empty', () => {
  const keys = ['team', 'Team_1.x', 'example.com/team', '/a', 'a/b/c', 'Example.com/a', 'a'.repeat(64), '']
  assert.deepEqual(keys.filter(isQualifiedName), keys.slice(0, 3))
  const values = ['', 'a', 'A_b.c-1', '-a', 'a b', 'a'.repeat(64)]
  assert.deepEqual(values.filter(isLabelValue), values.slice(0, 3))
})

test('all errors of an object are reported at once with their field paths', () => {
  const value = {
    kind: 'Secret',
    spec: [],
    data: { a: 1 },
    metadata: { name: 'x', namespace: 'A', labels: { team: 'a b' }, annotations: { 'a b': '' } },
  }
  assert.throws(
    () => checkedResource(value),
    (error) =>
      error instanceof InvalidInputError &&
      [
        'Secret A/x: ',
        'apiVersion is required',
        'spec must be an object, not a list',
        'data.a must be a string, not a number',
        'metadata.namespace:',
        'metadata.labels["team"]',
        '"a b" is no',
      ].every((part) => error.message.includes(part)),
  )
})

test('a value that is not a map is refused', () => {
  for (const value of [null, 'text', [], undefined]) {
    assert.throws(() => checkedResource(value), InvalidInputError)
  }
})

test('fields of an object and of its metadata that are null are missing ones', () => {
  const empty = { spec: null, status: null, data: null, stringData: null, type: null }
  const metadata = {
    labels: null,
    annotations: null,
    finalizers: null,
    namespace: null,
    creationTimestamp: null,
  }
  const object = { apiVersion: 'v1', kind: 'Secret', ...empty, metadata: { name: 'x', ...metadata } }
  assert.deepEqual(checkedResource(object), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } })
  assert.throws(() => checkedResource({ ...object, kind: null, metadata: null }), {
    message: /kind is required; metadata is required/,
  })
  assert.throws(() => checkedResource({ ...object, data: { a: null } }), {
    message: /data\.a must be a string, not null/,
  })
})

test('an object that clients could not read in an answer is refused', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: nested(levels - 1) })
  const object = (levels: number) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
    spec: nested(levels),
  })
  assert.equal(checkedResource(object(39)).kind, 'ConfigMap')
  assert.throws(() => checkedResource(object(40)), {
    name: 'InvalidInputError',
    message: 'ConfigMap x: it has more than 40 levels of maps and lists',
  })
})
