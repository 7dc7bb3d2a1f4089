import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { RenderFixture, testTools } from '../render-fixture.ts'
import { RepeatScans, usesInValues } from './repeat-scan.ts'

const tools = await testTools()

async function usesIn(files: Record<string, string>, input = 'chart'): Promise<string[]> {
  await using fixture = new RenderFixture(tools, files)
  const uses = await new RepeatScans().usesIn(openDirectoryTree(fixture.directory), input)
  return uses.map(({ name, place, isHiddenClock }) => `${name} ${place}${isHiddenClock ? ' hidden' : ''}`)
}

test('calls are found with file and line, in templates, values and files alike', async () => {
  const found = await usesIn({
    'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'chart/files/a.txt': '{{ ago .t }}',
    'chart/templates/_helpers.tpl': '{{- define "a" -}}\n{{ now }} {{ randAlphaNum 8 }}\n{{- end -}}',
    'chart/templates/b.yaml': 'a: b\nb: {{ tpl "{{ now }}" . }}',
    'chart/values.yaml': 'date: "{{ now }}"\n',
  })
  assert.deepEqual(found.toSorted(), [
    'ago chart/files/a.txt:1 hidden',
    'now chart/templates/_helpers.tpl:2',
    'now chart/templates/b.yaml:2 hidden',
    'now chart/values.yaml:1 hidden',
    'randAlphaNum chart/templates/_helpers.tpl:2',
  ])
})

test('every function of clock, chance or map order that charts have is found', () => {
  const names =
    `now ago date dateInZone date_in_zone htmlDate htmlDateInZone durationRound randAlphaNum randAlpha randAscii
    randNumeric randBytes randInt uuidv4 shuffle bcrypt htpasswd encryptAES genPrivateKey genCA genCAWithKey genSignedCert
    genSignedCertWithKey genSelfSignedCert genSelfSignedCertWithKey keys values`.split(/\s+/)
  const found = names.flatMap((name) => usesInValues(`{{ ${name} .x }}`, 'a value').map((use) => use.name))
  assert.deepEqual(found, names)
})

test('functions with a constant result, and names that are not calls, are not found', async () => {
  const found = await usesIn({
    'chart/README.md': 'Set the date now, or `env`; keys and values are shuffled.',
    'chart/templates/a.yaml':
      '{{/* now */}}{{ .Values.now }}{{ "now" }}{{ derivePassword 1 "long" "a" "b" "c" }}{{ lookup "v1" "Secret" "" "" }}',
    'chart/values.yaml': 'now: rand\n',
  })
  assert.deepEqual(found, [])
})

test('maps listed in no order are found, but not where the order does not matter', async () => {
  const text = (action: string) => ({ 'chart/templates/a.yaml': `{{ ${action} }}` })
  assert.deepEqual(await usesIn(text('keys .Values | first')), ['keys chart/templates/a.yaml:1'])
  assert.deepEqual(await usesIn(text('range values .Values')), ['values chart/templates/a.yaml:1'])
  assert.deepEqual(await usesIn(text('keys .Values | sortAlpha | first')), [])
  assert.deepEqual(await usesIn(text('if gt (len (keys .Values)) 0')), [])
})

test('packed dependencies are looked into, and what cannot be is reported as unknown', async () => {
  await using fixture = new RenderFixture(tools, {})
  const tree = openDirectoryTree(fixture.directory)
  const pack = (name: string, content: string) => {
    fixture.write(name, '')
    return { name, bytes: gzipSync(content) }
  }
  const packed = [
    pack('charts/a-1.tgz', 'a/templates/x.yaml\0{{ now }}\0'),
    pack('charts/b-1.tgz', 'b/templates/x.yaml\0{{ .Values.now }}\0'),
    pack('charts/c-1.tgz', 'c/charts/d-1.tgz\0...'),
    pack('charts/bomb-1.tgz', ' '.repeat(17 * 1024 * 1024)),
    { name: 'charts/broken-1.tgz', bytes: Buffer.from('no archive') },
  ]
  fixture.write('charts/broken-1.tgz', '')
  const archives: FileTree = {
    entry: async (path) => {
      const entry = await tree.entry(path)
      return entry && { ...entry, id: path }
    },
    list: async (path) => (await tree.list(path)).map((entry) => ({ ...entry, id: entry.name })),
    read: async (path) => packed.find(({ name }) => name === path)?.bytes ?? Buffer.alloc(0),
  }
  const uses = await new RepeatScans().usesIn(archives, 'charts')
  assert.deepEqual(
    uses.map(({ name, place, isHiddenClock }) => [name, place, isHiddenClock]),
    [
      ['now', 'charts/a-1.tgz', true],
      ['', 'charts/bomb-1.tgz', false],
      ['', 'charts/broken-1.tgz', false],
      ['', 'charts/c-1.tgz', false],
    ],
  )
})

test('files with equal ids are read once, wherever they are', async () => {
  await using fixture = new RenderFixture(tools, {
    'one/templates/a.yaml': '{{ now }}',
    'one/values.yaml': 'a: b',
    'two/deep/templates/a.yaml': '{{ now }}',
    'two/deep/values.yaml': 'a: b',
  })
  const tree = openDirectoryTree(fixture.directory)
  const read: string[] = []
  const counting: FileTree = {
    entry: async (path) => tree.entry(path),
    list: async (path) => tree.list(path),
    read: async (path, maxBytes) => {
      read.push(path)
      return tree.read(path, maxBytes)
    },
  }
  const scans = new RepeatScans()
  const places = []
  for (const input of ['one', 'two/deep', 'one', 'two/deep/templates/a.yaml']) {
    places.push(...(await scans.usesIn(counting, input)).map(({ place }) => place))
  }
  assert.deepEqual(places, [
    'one/templates/a.yaml:1',
    'two/deep/templates/a.yaml:1',
    'one/templates/a.yaml:1',
    'two/deep/templates/a.yaml:1',
  ])
  assert.deepEqual(read, ['one/templates/a.yaml', 'one/values.yaml'])
})

test('values that are in no file are scanned too', () => {
  const values = { a: ['x', { b: '{{ uuidv4 }}' }], c: 5, d: null }
  const found = [{ name: 'uuidv4', place: 'a value', isHiddenClock: false }]
  assert.deepEqual(usesInValues(values, 'a value'), found)
  assert.deepEqual(usesInValues(undefined, 'a value'), [])
})
