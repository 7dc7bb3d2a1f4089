import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectSource } from '../../inspection/inspect-source.ts'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../../run/render-fixture.ts'
import { renderSource } from '../../run/render-source.ts'
import type { SourceOptions } from '../../source/source.ts'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { treeWithSources } from '@wadi/file-trees/sources-tree.ts'

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': 'color: red\nsize: 1\n',
  'note.txt': '',
  'templates/one.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata:\n  color: {{ .Values.color }}\n  size: "{{ .Values.size }}"\n  seen: "{{ range $path, $_ := .Files.Glob "**" }}{{ $path }} {{ end }}"\n',
}

/** A chart at the root of its repository, and what another source has. */
async function setUp(
  other: Record<string, string>,
  helm: NonNullable<SourceOptions['helm']>,
  files: Record<string, string> = {},
) {
  const own = new RenderFixture(await testTools(), { ...chart, ...files })
  const source = testSource('.', { helm })
  const treeOf = (changed: Record<string, string>) => {
    const entries = Object.entries({ ...other, ...changed })
    const texts = new Map(entries.map(([path, text]) => [path, Buffer.from(text)]))
    return treeWithSources(openDirectoryTree(own.directory), new Map([['values', memoryTree(texts)]]))
  }
  const inspect = (changed: Record<string, string> = {}) =>
    inspectSource(treeOf(changed), source, testRevision, own.tools, strictPolicy)
  const render = async () => renderSource(treeOf({}), await inspect(), own.context(source))
  return { own, inspect, render, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() }
}

test('a chart takes values files of another source, which its templates do not see', async () => {
  await using bed = await setUp(
    { 'envs/prod.yaml': 'color: blue\n', 'envs/size.txt': '7' },
    {
      valueFiles: ['$values/envs/*.yaml'],
      fileParameters: [{ name: 'size', path: '$values/envs/size.txt' }],
    },
  )
  const { manifests, record } = await bed.render()
  const [text = ''] = manifests
  const data: unknown = JSON.parse(text).data
  assert.deepEqual(data, { color: 'blue', size: '7', seen: 'note.txt ' })
  assert.match(record.commands.join('\n'), /--values '\.\.\/\$values\/envs\/prod\.yaml'/)
  const color = record.parameters.find(({ path }) => path === '.color')
  assert.deepEqual([color?.from?.file, color?.from?.line], ['$values/envs/prod.yaml', 1])
})

test('only the files that are named decide the fingerprint', async () => {
  await using bed = await setUp(
    { 'prod.yaml': 'size: 2\n', 'dev.yaml': '' },
    { valueFiles: ['$values/prod.yaml'] },
  )
  const { fingerprint, reads } = await bed.inspect()
  assert.equal((await bed.inspect({ 'dev.yaml': 'size: 3\n' })).fingerprint, fingerprint)
  const changed = await bed.inspect({ 'prod.yaml': 'size: 3\n' })
  assert.notEqual(changed.fingerprint, fingerprint)
  const read = ({ reads: all }: { reads: typeof reads }) =>
    all.find(([path]) => path === '../$values/prod.yaml')
  assert.notDeepEqual(read({ reads }), undefined)
  assert.notDeepEqual(read(changed), read({ reads }))
})

test('a name that is neither a source nor a variable is an error that names the option and where it is written', async () => {
  await using inline = await setUp({}, { valueFiles: ['values.yaml', '$vaules/prod.yaml'] })
  await assert.rejects(inline.inspect(), {
    message:
      'helm.valueFiles[1] "$vaules/prod.yaml": no source of the Application has the ref "vaules"; add one to spec.sourceHydrator.drySources, or correct the name',
  })
  const override = 'helm:\n  valueFiles:\n  - $other/prod.yaml\n'
  await using inGit = await setUp({}, {}, { '.argocd-source.yaml': override })
  await assert.rejects(
    inGit.inspect(),
    /^InvalidInputError: \.argocd-source\.yaml:3: helm\.valueFiles\[0\] "\$other/,
  )
})

test('nothing outside the root of another source is read', async () => {
  await using up = await setUp({ 'a.yaml': '' }, { valueFiles: ['$values/../values.yaml'] })
  await assert.rejects(up.inspect(), /"\.\.\/values\.yaml" leads outside the repository/)
  await using missing = await setUp({ 'a.yaml': '' }, { valueFiles: ['$values/b.yaml'] })
  await assert.rejects(missing.inspect(), /value file "\$values\/b\.yaml" does not exist/)
  await using linked = await setUp({}, { valueFiles: ['$values/prod.yaml'] })
  await using other = new RenderFixture(await testTools(), {})
  const tree = treeWithSources(
    openDirectoryTree(linked.own.directory),
    new Map([['values', openDirectoryTree(other.directory)]]),
  )
  const source = testSource('.', { helm: { valueFiles: ['$values/prod.yaml'] } })
  const inspect = () => inspectSource(tree, source, testRevision, other.tools, strictPolicy)
  other.write('real/prod.yaml', 'color: green\n')
  other.link('prod.yaml', 'real/prod.yaml')
  assert.equal((await inspect()).inputs.includes('../$values/prod.yaml'), true)
  for (const target of ['../values.yaml', '/etc/hostname', '../../repository/values.yaml']) {
    await using hostile = new RenderFixture(await testTools(), {})
    hostile.link('prod.yaml', target)
    const files = treeWithSources(
      openDirectoryTree(linked.own.directory),
      new Map([['values', openDirectoryTree(hostile.directory)]]),
    )
    const inspection = inspectSource(files, source, testRevision, hostile.tools, strictPolicy)
    await assert.rejects(
      inspection,
      /symlink ".*prod\.yaml" (?:to ".*" leads outside|leads to the absolute path)/,
    )
  }
})
