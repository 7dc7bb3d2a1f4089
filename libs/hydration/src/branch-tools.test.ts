import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { branchTools, toolsInUse } from './branch-tools.ts'

const helm = (version: string) => JSON.stringify({ tools: [{ name: 'helm', version }] })

type Files = Readonly<Record<string, string>>

async function onBranch<Answer>(files: Files, ask: (tree: FileTree) => Promise<Answer>): Promise<Answer> {
  const entries = Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const)
  return ask(memoryTree(new Map(entries)))
}

const toolsOf = (files: Files) => onBranch(files, branchTools)

test('the record of the root says what a branch is made with', async () => {
  const root = {
    tools: [
      { name: 'helm', version: 'v4.1.4' },
      { name: 'kustomize', version: 'v5.7.1' },
    ],
  }
  const files = { 'hydrator.metadata': JSON.stringify(root), 'a/hydrator.metadata': helm('v4.3.1') }
  assert.deepEqual(await toolsOf(files), { helm: 'v4.1.4', kustomize: 'v5.7.1' })
})

test('on a branch of an older version most directories decide, however deep they are', async () => {
  const files = {
    'hydrator.metadata': '{}',
    'a/hydrator.metadata': helm('v4.3.1'),
    'b/hydrator.metadata': helm('v4.1.4'),
    'deep/er/c/hydrator.metadata': helm('v4.1.4'),
    'd/hydrator.metadata': '{"tools":[{"name":"kustomize","version":"v5.7.1"}]}',
    'e/hydrator.metadata': 'not JSON',
  }
  assert.deepEqual(await toolsOf(files), { helm: 'v4.1.4', kustomize: 'v5.7.1' })
})

test('a branch that Wadi did not write keeps no version', async () => {
  assert.deepEqual(await toolsOf({ 'a/manifest.yaml': 'kind: ConfigMap' }), {})
  assert.deepEqual(await toolsOf({ 'hydrator.metadata': '{"drySha":"1"}', 'a/hydrator.metadata': '{}' }), {})
})

test('versions are in use that made a directory, and those that were not looked for long enough', async () => {
  const sought = { helm: 'v4.1.4', kustomize: 'v5.7.1' }
  const inUse = (files: Files) => onBranch(files, (tree) => toolsInUse(tree, sought))
  const both = [
    { name: 'kustomize', version: 'v5.7.1' },
    { name: 'helm', version: 'v4.1.4' },
  ]
  const root = { 'hydrator.metadata': JSON.stringify({ tools: both }) }
  const others = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}/hydrator.metadata`, helm('v4.3.1')]))
  assert.deepEqual(await inUse({ ...root, ...others(2) }), [])
  assert.deepEqual(await inUse({ ...root, ...others(2), 'z/hydrator.metadata': helm('v4.1.4') }), ['helm'])
  const made = { 'deep/a/hydrator.metadata': JSON.stringify({ tools: both }) }
  assert.deepEqual(await inUse({ ...root, ...made }), ['helm', 'kustomize'])
  assert.deepEqual(await inUse({ ...root, ...others(101) }), ['helm', 'kustomize'])
})
