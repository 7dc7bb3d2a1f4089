import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import { startBranchBed } from '../branch-bed-fixture.ts'
import { objectsText } from '../commit/object-owners.ts'
import { application } from '../run-fixture.ts'
import { ObjectSearch } from './object-search.ts'

const object = (kind: string, name: string, namespace = '', apiVersion = 'v1') =>
  JSON.stringify({ apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } })

const texts = VersionedMap.of([
  [
    'a',
    objectsText([
      object('ConfigMap', 'web-settings', 'shop'),
      object('Deployment', 'my-web', 'shop', 'apps/v1'),
    ]),
  ],
  [
    'b',
    objectsText([
      object('Secret', 'web', 'bank'),
      object('ClusterRole', 'web-reader', '', 'rbac.authorization.k8s.io/v1'),
    ]),
  ],
])

function searchOf(reads: string[] = []) {
  return new ObjectSearch({
    objects: async (key, head) => {
      reads.push(`${key} ${head}`)
      return key === 'known' ? texts : undefined
    },
  })
}

const known = { branchKey: 'known', head: '1', paths: [] }
const names = async (
  text: string,
  limit = 10,
  branch: { branchKey: string; head: string; paths: string[] } = known,
) =>
  (await searchOf().find(text, [branch], limit)).objects.map(({ path, identity }) => {
    return `${path} ${identity.kind} ${identity.namespace}/${identity.name}`
  })

test('objects are found by words of kind, namespace and name, the nearest first', async () => {
  assert.deepEqual(await names('web'), [
    'b Secret bank/web',
    'a ConfigMap shop/web-settings',
    'b ClusterRole /web-reader',
    'a Deployment shop/my-web',
  ])
  assert.deepEqual(await names('deployment web'), ['a Deployment shop/my-web'])
  assert.deepEqual(await names('shop config'), ['a ConfigMap shop/web-settings'])
  assert.deepEqual(await names('nothing'), [])
  assert.deepEqual(await names('web', 1), ['b Secret bank/web'])
})

test('only the directories that are asked for are searched', async () => {
  assert.deepEqual(await names('web', 10, { ...known, paths: ['a'] }), [
    'a ConfigMap shop/web-settings',
    'a Deployment shop/my-web',
  ])
})

test('a branch is read once for a head, and one that is not known is counted', async () => {
  const reads: string[] = []
  const search = searchOf(reads)
  const unknown = { branchKey: 'unknown', head: '1', paths: [] }
  assert.equal((await search.find('web', [known, unknown], 5)).notSearched, 1)
  await search.find('web', [known], 5)
  await search.find('web', [{ ...known, head: '2' }], 5)
  assert.deepEqual(reads, ['known 1', 'unknown 1', 'known 2'])
})

test('what a run rendered is found at the head that it left', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  bed.neighbours.manifest = () => object('ConfigMap', 'settings', 'shop')
  await bed.run()
  const key = (await bed.fixture.store.list('HydratedBranch')).items[0]?.metadata.name ?? ''
  const search = new ObjectSearch(bed.fixture.context.known)
  const branch = { branchKey: key, head: bed.neighbours.position.headSha, paths: [] }
  const { objects } = await search.find('settings', [branch], 5)
  assert.deepEqual(
    objects.map(({ path, identity }) => [path, identity.name]),
    [['a', 'settings']],
  )
})
