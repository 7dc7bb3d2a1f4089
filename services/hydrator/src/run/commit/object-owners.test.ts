import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { ObjectOwners, objectsText, type OwningDirectory } from './object-owners.ts'

function text(...objects: readonly (readonly [kind: string, name: string, namespace?: string])[]): string {
  return objectsText(
    objects.map(([kind, name, namespace]) => {
      const apiVersion = kind === 'ClusterRole' ? 'rbac.authorization.k8s.io/v1' : 'v1'
      return JSON.stringify({ apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } })
    }),
  )
}

function shared(
  directories: Readonly<Record<string, OwningDirectory>>,
  owners = new ObjectOwners(),
): string[] {
  for (const path of [...owners.paths(), ...Object.keys(directories)]) owners.set(path, directories[path])
  return owners
    .several()
    .map(
      ({ kind, namespace, name, paths }) =>
        `${kind} ${namespace}/${name}: ${[...paths].toSorted().join(' ')}`,
    )
    .toSorted()
}

test('an object is one whether or not it says the namespace that it goes to, and those of the cluster have none', () => {
  const a = { text: text(['Secret', 's'], ['ClusterRole', 'r'], ['Secret', 'own', 'x']), namespace: 'web' }
  const b = {
    text: text(['Secret', 's', 'web'], ['ClusterRole', 'r', 'y'], ['Secret', 'own']),
    namespace: 'other',
  }
  assert.deepEqual(shared({ a, b }), ['ClusterRole /r: a b', 'Secret web/s: a b'])
  assert.deepEqual(shared({ a, b: { ...b, namespace: 'x' } }), [
    'ClusterRole /r: a b',
    'Secret web/s: a b',
    'Secret x/own: a b',
  ])
})

test('what has no name or is twice in one directory is not shared', () => {
  const twice = { text: text(['Secret', 's'], ['Secret', 's'], ['Job', '']), namespace: '' }
  assert.deepEqual(shared({ a: twice }), [])
  assert.deepEqual(shared({ a: twice, b: twice }), ['Secret /s: a b'])
})

test('after any changes the owners are those of the directories as they are', () => {
  const random = seededRandom(5)
  const owners = new ObjectOwners()
  let directories: Record<string, OwningDirectory> = {}
  for (let round = 0; round < 200; round += 1) {
    const path = `d${random.below(5)}`
    if (random.below(4) === 0) {
      const { [path]: _gone, ...rest } = directories
      directories = rest
    } else {
      const objects = Array.from(
        { length: random.below(4) },
        () => ['Secret', `s${random.below(4)}`] as const,
      )
      directories = { ...directories, [path]: { text: text(...objects), namespace: `n${random.below(2)}` } }
    }
    assert.deepEqual(shared(directories, owners), shared(directories))
  }
})
