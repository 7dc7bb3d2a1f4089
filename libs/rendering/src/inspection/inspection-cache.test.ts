import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { InspectionCache } from './inspection-cache.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { noPlugins } from '../renderers/plugin/plugins.ts'
import { RenderFixture, strictPolicy, testSource, testTools } from '../run/render-fixture.ts'

const tools = { ...(await testTools()), plugins: noPlugins }
const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'
const files = {
  'apps/web/kustomization.yaml': 'resources: [../../base]\n',
  'base/kustomization.yaml': 'resources: [a.yaml]\n',
  'base/a.yaml': config,
  'other.txt': 'x',
}

test('an inspection is reused for another tree in which everything it read is unchanged', async () => {
  await using fixture = new RenderFixture(tools, files)
  const cache = new InspectionCache()
  const source = testSource('apps/web')
  const inspect = (revision: string) =>
    cache.inspect(openDirectoryTree(fixture.directory), { ...source }, revision, tools, strictPolicy)
  const first = await inspect('1'.repeat(40))
  fixture.write('other.txt', 'y')
  assert.equal(await inspect('2'.repeat(40)), first)
  fixture.write('base/a.yaml', `${config}data: {x: "1"}\n`)
  const changed = await inspect('3'.repeat(40))
  assert.notEqual(changed.fingerprint, first.fingerprint)
  fixture.write('apps/web/.argocd-source.yaml', 'kustomize: {namePrefix: x-}\n')
  assert.deepEqual((await inspect('4'.repeat(40))).options, { kustomize: { namePrefix: 'x-' } })
})

test('a source that uses the revision is inspected for each revision', async () => {
  await using fixture = new RenderFixture(tools, files)
  const cache = new InspectionCache()
  const source = testSource('apps/web', { kustomize: { images: ['a:$ARGOCD_APP_REVISION'] } })
  const tree = openDirectoryTree(fixture.directory)
  const first = await cache.inspect(tree, source, 'a'.repeat(40), tools, strictPolicy)
  assert.equal(await cache.inspect(tree, source, 'a'.repeat(40), tools, strictPolicy), first)
  const second = await cache.inspect(tree, source, 'b'.repeat(40), tools, strictPolicy)
  assert.notEqual(second.fingerprint, first.fingerprint)
})

test('the memory is bounded and forgets what was unused for longest', async () => {
  await using fixture = new RenderFixture(tools, { ...files, 'plain/a.yaml': config })
  const cache = new InspectionCache(new Reuse(), 1)
  const tree = openDirectoryTree(fixture.directory)
  const first = await cache.inspect(tree, testSource('plain'), 'a', tools, strictPolicy)
  await cache.inspect(tree, testSource('base'), 'a', tools, strictPolicy)
  const again = await cache.inspect(tree, testSource('plain'), 'a', tools, strictPolicy)
  assert.notEqual(again, first)
  assert.equal(again.fingerprint, first.fingerprint)
})
