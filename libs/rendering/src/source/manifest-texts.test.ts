import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { withShiftedClock } from '../run/repeat/repeat-clock.ts'
import { readManifestTexts } from './manifest-texts.ts'

test('the files that are read are asked for at once, also through a tree with another clock', async () => {
  const paths = ['policies/a.yaml', 'policies/below/b.json', 'policies/README.md', 'other.yaml']
  const asked: (readonly string[])[] = []
  const tree = withShiftedClock({
    ...memoryTree(new Map(paths.map((path) => [path, Buffer.from('{}')]))),
    ready: async (wanted) => void asked.push(wanted),
  })
  const texts = await readManifestTexts(tree, 'policies', 'policies')
  assert.deepEqual(asked, [texts.map(({ file }) => file)])
  assert.deepEqual(asked[0]?.toSorted(), ['policies/a.yaml', 'policies/below/b.json'])
})
