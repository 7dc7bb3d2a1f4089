import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { emitManifests } from './emit-manifests.ts'
import type { JsonValue, Manifest } from './manifest.ts'
import { manifestFromJson, manifestToJson } from './manifest-json.ts'
import { parseManifests } from './parse-manifests.ts'

const hasKubectl = spawnSync('kubectl', ['version', '--client'], { env: kubectlEnvironment() }).status === 0
const skip = hasKubectl ? false : 'kubectl is not on PATH'

function kubectlEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: tmpdir(), KUBECONFIG: '/dev/null' }
}

/** Returns the field `value` of every document as kubectl reads it without a cluster. */
function readWithKubectl(text: string): JsonValue[] {
  return objectsOfKubectl(text).map((object) => object['value'] ?? null)
}

function objectsOfKubectl(text: string): Manifest[] {
  const directory = mkdtempSync(join(tmpdir(), 'wadi-kubectl-'))
  try {
    const file = join(directory, 'probe.yaml')
    writeFileSync(file, text)
    const args = ['annotate', '--local', '-f', file, 'x=y', '-o', 'json']
    const output = execFileSync('kubectl', args, { env: kubectlEnvironment(), encoding: 'utf8' })
    return output.split(/^(?=\{)/m).map((object) => manifestFromJson(object))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const withoutSpaces = `
  y Y yes Yes YES yEs on On ON oN n N no No NO off Off OFF true True TRUE tRUE false False FALSE ~ null Null NULL nUll
  << = 0 1 -1 +1 -0 -0.0 00 007 0777 0899 08 0o17 0O17 0o8 -0o17 0o-7 0x1F 0X1f -0x1F 0xG 0b101 0B101 0b2 -0b11 0b-1
  1_000 _1 1_ 0x_F 0_7 1e3 1E3 1e+3 1e-3 1e 1.5e e3 1. .5 +.5 -.5 .5e1 . .. 1.0 1.50 1_0.5 .5_0 .5_ 0.1 1.2.3 v1
  9007199254740993 -9007199254740993 9223372036854775807 -9223372036854775808 -9223372036854775809 18446744073709551616
  +9223372036854775808 0x7FFFFFFFFFFFFFFF 1e15 1e18 1e19 1e20 1e21 1e308 1e309 1e-400 1:30 190:20:30 1:20.5 2001-01-01
  2001-1-1 2001-12-14t21:59:43.10-05:00 2001-13-45 inf nan NaN 0x1p-2 a:b -a ?a :a x] it's quote"d back\\slash a#b
  http://x/y?z=1&a=<b> é漢`
  .trim()
  .split(/\s+/)

const plain = [...withoutSpaces, 'a b', '2001-12-14 21:59:43']

const written =
  `'1'; "y"; "a\\tb"; 'it''s'; "\\x41\\u00e9\\U0001F600"; !!str 1; !!int "1"; !!float 1; ! 1; !foo 1; !foo [1, y];
!!binary aGVsbG8=; [1, 2,]; {a: 1, b}; [a: 1]; {1: a, y: b, 0x10: c, 1.50: d}; {a: &a {x: 1}, b: {x: 2, <<: *a}}`
    .split(/;\s/)
    .concat('"a\n  b"', 'a\n  b', '>\n  folded\n  text\n\n  more\n', '|-\n  lit\n   x\n', '|+\n  keep\n\n')

test('kubectl reads every scalar as parseManifests does', { skip }, () => {
  const text = [...plain, ...written].map((scalar) => document(scalar)).join('---\n')
  const ours = parseManifests(text, { file: 'probe.yaml' }).map(asJsonHolds)
  const theirs = readWithKubectl(text)
  assert.equal(theirs.length, plain.length + written.length)
  for (const [index, value] of theirs.entries()) {
    assert.deepEqual(ours[index], value, [...plain, ...written][index] ?? '')
  }
})

test('kubectl reads back every text that emitManifests wrote, as value, item and key', { skip }, () => {
  const special = [
    '',
    ' lead',
    'trail ',
    'tab\there',
    'nul\0',
    'del\x7f',
    'nel\u0085',
    'bom\ufeff',
    'ls\u2028',
    'ls\u2028x',
  ]
  const lines = [
    'a\nb',
    'a\nb\n',
    'a\n\n',
    '\n',
    '\nx',
    '  x\n y',
    'x \ny',
    'tab\n\tx',
    '\ttab\nx',
    '\t\n',
    'cr\r\nlf',
    'a\u2029\nb',
    '😀\nx',
  ]
  const texts = [
    ...plain,
    ...special,
    ...lines,
    '.inf',
    '-.nan',
    '- a',
    '-',
    '? a',
    'a: b',
    'a #b',
    '#a',
    '---',
    '...',
  ]
  const manifests = texts.map((text): Manifest =>
    probe({ text, items: [text, [text]], key: { [text]: text } }),
  )
  const theirs = readWithKubectl(emitManifests(manifests))
  assert.equal(theirs.length, texts.length)
  for (const [index, value] of theirs.entries()) assert.deepEqual(value, manifests[index]?.['value'])
})

test(
  'kubectl drops and keeps a byte order mark at the start of a line as parseManifests does',
  { skip },
  () => {
    const texts = [
      '---\n',
      '---\r\n',
      '--- # x\n',
      '---\n---\n',
      '---\n---\n---\n',
      '---\n\n',
      '---\n# x\n',
    ].map((marker) => `${document('1')}${marker}\ufeff${document('2')}`)
    const first = ['\ufeff', '---\n\ufeff', '\n\ufeff', '---\n---\n\ufeff'].map(
      (mark) => `${mark}${document('1')}`,
    )
    for (const text of [...texts, ...first]) {
      assert.equal(
        isRead(text),
        objectsOfKubectl(text).every((object) => 'apiVersion' in object),
        JSON.stringify(text),
      )
    }
  },
)

function isRead(text: string): boolean {
  try {
    return parseManifests(text, { file: 'probe.yaml' }).length > 0
  } catch {
    return false
  }
}

/** JSON has one spelling for the float 2^63 and the integer. */
function asJsonHolds(manifest: Manifest): JsonValue {
  return manifestFromJson(manifestToJson(manifest))['value'] ?? null
}

function document(scalar: string): string {
  return `apiVersion: example.dev/v1\nkind: Probe\nmetadata: {name: x}\nvalue: ${scalar}\n`
}

function probe(value: JsonValue): Manifest {
  return { apiVersion: 'example.dev/v1', kind: 'Probe', metadata: { name: 'x' }, value }
}
