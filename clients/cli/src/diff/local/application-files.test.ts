import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { readApplicationFiles } from './application-files.ts'

const application = (name: string, kind = 'Application') =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}}\n`

function treeOf(texts: Readonly<Record<string, string>>) {
  return memoryTree(new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)])))
}

async function found(texts: Readonly<Record<string, string>>) {
  const { objects, mentions } = await readApplicationFiles(treeOf(texts))
  return { objects: objects.map(({ path }) => path), mentions: [...mentions] }
}

test('Applications are found in YAML and JSON however they are written, and templates of them are named', async () => {
  const texts = {
    'a.yaml': application('a').replace('Application', 'Application # of a team'),
    'b/set.yml': application('set', 'ApplicationSet'),
    'c.json': JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'c' },
    }),
    'chart/templates/d.yaml': `{{ if .Values.on }}\n${application('d')}{{ end }}\n`,
    'chart/templates/e.tpl': application('e'),
    'other.yaml': application('other', 'ApplicationSource'),
    'text.md': application('text'),
  }
  assert.deepEqual(await found(texts), {
    objects: ['a.yaml', 'b/set.yml', 'c.json'],
    mentions: ['a.yaml', 'b/set.yml', 'c.json', 'chart/templates/d.yaml', 'chart/templates/e.tpl'],
  })
})

test('what is found with the help of another tree is what is found without it', async () => {
  const random = seededRandom(5)
  const places = ['a.yaml', 'a', 'a/b.yaml', 'a/c/d.json', 'a-b.yaml', 'e.tpl', 'f/g.yaml', 'f/h.md', 'f']
  let texts: Record<string, string> = { 'a-b.yaml': application('first'), 'f/g.yaml': 'kind: ConfigMap\n' }
  let before = await readApplicationFiles(treeOf(texts))
  for (let step = 0; step < 60; step++) {
    const place = random.pick(places)
    const next = Object.fromEntries(
      Object.entries(texts).filter(
        ([path]) => !path.startsWith(`${place}/`) && !place.startsWith(`${path}/`) && path !== place,
      ),
    )
    if (random.chance(0.7)) next[place] = random.chance(0.6) ? application(`of-${step}`) : `# ${step}\n`
    texts = next
    const after = await readApplicationFiles(treeOf(texts), before)
    const { tree: _tree, ...expected } = await readApplicationFiles(treeOf(texts))
    const { tree: _other, ...actual } = after
    assert.deepEqual(actual, expected, JSON.stringify(texts))
    before = after
  }
})
