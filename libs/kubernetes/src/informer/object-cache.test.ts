import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stored } from '../object-fixture.ts'
import { ObjectCache } from './object-cache.ts'
import { compareResourceVersions } from './resource-version.ts'

/** A cache that keeps versions, and what it reports. */
function versionCache() {
  const changes: string[] = []
  const errors: unknown[] = []
  const cache = new ObjectCache<string>({
    project: ({ metadata }) => metadata.resourceVersion,
    onChange: (change) =>
      changes.push(
        `${change.type} ${change.key.name} ${change.type === 'deleted' ? change.previous : change.value}`,
      ),
    onReplaced: () => changes.push('replaced'),
    onFollowing: () => undefined,
    onFailed: (error) => errors.push(error),
    onError: (error) => errors.push(error),
  })
  const version = (name = 'a') => cache.get({ namespace: 'argocd', name })
  return { cache, changes, errors, version }
}

/** The same after a list of these objects as of version 10. */
function listedCache(...objects: ReturnType<typeof stored>[]) {
  const all = versionCache()
  all.cache.listBegins()
  for (const object of objects) all.cache.put(object)
  all.cache.replaced('10')
  all.changes.length = 0
  return all
}

test('a write of this process is seen at once, and older events under way do not bring back what was before', () => {
  const { cache, changes, version } = listedCache(stored('a', 1))
  cache.wrote(stored('a', 20))
  assert.equal(version(), '20')
  cache.put(stored('a', 15))
  cache.passed('15')
  assert.equal(version(), '20')
  cache.put(stored('a', 20))
  cache.passed('20')
  cache.put(stored('a', 21))
  assert.deepEqual(changes, ['updated a 20', 'updated a 21'])
})

test('an answer that arrives after the watch has passed it changes nothing', () => {
  const { cache, changes, version } = listedCache()
  cache.put(stored('a', 20))
  cache.put(stored('a', 21))
  cache.passed('21')
  cache.wrote(stored('a', 20))
  assert.equal(version(), '21')
  cache.remove(stored('a', 22))
  cache.passed('22')
  cache.wrote(stored('a', 21))
  assert.equal(version(), undefined)
  assert.deepEqual(changes, ['added a 20', 'updated a 21', 'deleted a 21'])
})

test('a write of this process that the watch passes without a word is not among what it follows', () => {
  const { cache, changes, version } = listedCache()
  cache.wrote(stored('a', 20))
  cache.wrote(stored('b', 22))
  cache.passed('19')
  assert.equal(version('a'), '20')
  cache.passed('21')
  assert.equal(version('a'), undefined)
  assert.equal(version('b'), '22')
  assert.deepEqual(changes, ['added a 20', 'added b 22', 'deleted a 20'])
})

test('of two own answers out of order the newer one stays', () => {
  const { cache, version } = listedCache()
  cache.wrote(stored('a', 101))
  cache.wrote(stored('a', 99))
  assert.equal(version(), '101')
})

test('a deletion by this process is seen at once, and events of the deleted object do not bring it back', () => {
  const { cache, changes, version } = listedCache(stored('a', 1, 'first'))
  cache.deleted({ namespace: 'argocd', name: 'a' }, 'first')
  cache.put(stored('a', 12, 'first'))
  assert.equal(version(), undefined)
  cache.remove(stored('a', 13, 'first'))
  cache.put(stored('a', 14, 'second'))
  assert.equal(version(), '14')
  assert.deepEqual(changes, ['deleted a 1', 'added a 14'])
})

test('an object that was deleted and created again by this process stays over the events of before', () => {
  const { cache, changes, version } = listedCache(stored('a', 1, 'first'))
  cache.deleted({ namespace: 'argocd', name: 'a' }, 'first')
  cache.wrote(stored('a', 13, 'second'))
  cache.remove(stored('a', 12, 'first'))
  assert.equal(version(), '13')
  cache.put(stored('a', 13, 'second'))
  cache.remove(stored('a', 14, 'second'))
  assert.equal(version(), undefined)
  assert.deepEqual(changes, ['deleted a 1', 'added a 13', 'deleted a 13'])
})

test('a new list reports differences alone', () => {
  const { cache, changes } = listedCache(stored('a', 1), stored('b', 2), stored('c', 3))
  cache.listBegins()
  cache.put(stored('a', 1))
  cache.put(stored('b', 11))
  cache.put(stored('d', 12))
  cache.replaced('12')
  assert.deepEqual(changes, ['updated b 11', 'added d 12', 'deleted c 3', 'replaced'])
})

test('what is written while a list is read stays when the list is of an older moment', () => {
  const { cache, version } = listedCache()
  cache.listBegins()
  cache.wrote(stored('a', 30))
  cache.wrote(stored('b', 20))
  cache.replaced('25')
  assert.equal(version('a'), '30')
  assert.equal(version('b'), undefined)
})

test('a list overrides what was written before it, also when the server was restored from a backup', () => {
  const { cache, version } = listedCache()
  cache.wrote(stored('a', 30))
  cache.wrote(stored('b', 31))
  cache.listBegins()
  cache.put(stored('a', 5))
  cache.replaced('9')
  assert.equal(version('a'), '5')
  assert.equal(version('b'), undefined)
  cache.wrote(stored('a', 10))
  assert.equal(version('a'), '10')
})

test('an object that the projection leaves out is not kept, and one that it cannot read is reported', () => {
  const errors: unknown[] = []
  const cache = new ObjectCache<number>({
    project: ({ metadata }) => {
      if (metadata.name === 'broken') throw new TypeError('no spec')
      return metadata.labels?.['kept'] === 'no' ? undefined : 1
    },
    onChange: () => undefined,
    onReplaced: () => undefined,
    onFollowing: () => undefined,
    onFailed: () => undefined,
    onError: (error) => errors.push(error),
  })
  cache.put(stored('a', 1))
  const { metadata, ...object } = stored('a', 2)
  cache.put({ ...object, metadata: { ...metadata, labels: { kept: 'no' } } })
  cache.put(stored('broken', 3))
  assert.deepEqual([...cache.entries()], [])
  assert.deepEqual(errors, [new TypeError('no spec')])
})

test('versions are compared as numbers of any length', () => {
  const versions = ['100000000000000000000001', '99', '100', '9', '100000000000000000000000']
  assert.deepEqual(versions.toSorted(compareResourceVersions), [
    '9',
    '99',
    '100',
    '100000000000000000000000',
    '100000000000000000000001',
  ])
  assert.equal(compareResourceVersions('12', '12'), 0)
})
