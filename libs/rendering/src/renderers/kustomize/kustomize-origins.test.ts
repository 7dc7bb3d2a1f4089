import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originFinder } from './kustomize-origins.ts'

const object = (name: string) => ({ group: '', kind: 'ConfigMap', name })

test('an object comes from the resource of its name, else of the longest in it, if that is in one file', () => {
  const originOf = originFinder([
    { ...object('web'), origin: 0 },
    { ...object('web-more'), origin: 1 },
    { ...object('twice'), origin: 0 },
    { ...object('twice'), origin: 1 },
    { ...object('same'), origin: 2 },
    { ...object('same'), origin: 2 },
    { ...object(''), origin: 3 },
  ])
  assert.deepEqual(
    ['web', 'prod-web', 'prod-web-more', 'twice', 'a-twice-b', 'same', 'other', ''].map((name) =>
      originOf(object(name)),
    ),
    [0, 0, 1, -1, -1, 2, -1, -1],
  )
  assert.equal(originOf({ ...object('web'), kind: 'Secret' }), -1)
})

// Compared with each other, the names would take hours.
test('objects are found by their names, and the others only as far as the comparisons are not too many', () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `name-${index}-end`)
  const originOf = originFinder(names.map((name, origin) => ({ ...object(name), origin })))
  assert.ok(names.every((name, origin) => originOf(object(name)) === origin))
  const others = names.map((name) => originOf(object(`a-${name}`)))
  assert.deepEqual(others.slice(0, 5), [0, 1, 2, 3, 4])
  assert.ok(others.slice(5).every((origin) => origin === -1))
  const same = originFinder(names.map((_, index) => ({ ...object('a'), origin: index % 2 })))
  assert.ok(names.every(() => same(object('a')) === -1))
})

test('a name longer than Kubernetes allows is not searched', () => {
  const originOf = originFinder([{ ...object('a'), origin: 0 }])
  assert.equal(originOf(object('a'.repeat(254))), -1)
})
