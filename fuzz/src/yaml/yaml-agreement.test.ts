import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { decodersProgram } from '@wadi/testing/yaml-decoders/decoders-program.ts'
import { readWithGo } from '@wadi/testing/yaml-decoders/read-with-go.ts'
import { differenceOf } from './compare-readings.ts'
import { runYaml } from './run-yaml.ts'

const skip = goProgramMissing(decodersProgram) ?? false

/** Texts that readers of YAML 1.2 and of Go read differently. */
const texts = [
  'a: {\n  b: c\n}\n',
  'a: [\n  b\n]\n',
  'a:\n  b: [\n  c,\n]\n',
  'a: "one\ntwo"\n',
  "a: 'one\n two\n\nthree'\n",
  'a: "x\\\'y"\n',
  'a: "\\/"\n',
  '{"a": "\\/\\ud83d\\ude00"}\n',
  '{"a": 1}\n{"b": 2}\n',
  '{"a": 1}{"b": 2}\n---\nc: 3\n',
  'a: |\n  x',
  'a: >\n\n  x\n   y\n  z\n',
  'a: |\n  \tx\n',
  'a: |\n\tx\n',
  'a:\tb\n\tc\n',
  '- a\n-\tb: c\n',
  '? a\n: b\n? [c]\n: d\n',
  'a: b: c\n',
  'a: -\n',
  'a: @b\n',
  'a: [b, :c, {d:e, "f":g}]\n',
  'a: [? b : c, ? , d: e]\n',
  'a: &x !!str 1\nb: *x\n*x : c\n',
  'a: &x [&x 1, *x]\nb: *x\n',
  'a: !!float 1\nb: !!int 1.0\n',
  'a: !!timestamp 2001-01-01\n',
  'a: !!binary /+I=\n',
  '.inf: a\n1e300: b\n0.1: c\n',
  '18446744073709551615: a\n',
  `${'k'.repeat(1025)}: a\n`,
  '"a\nb": c\n',
  'a: b # c\n  d\n',
  'a: "b"#c\n',
  'a: b\u2028c\nd: e\u0085f\n',
  '{"a": "b\u0085c"}\n',
  '%YAML 1.1\n---\na: b\n',
  '---\n---\na: b\n...\n---\n- c\n',
  '[]: a\n  b: c\n',
  '--- # c\n{ } : a\n',
  'a: {b: -.inf, <<: [{}, {b: 2}]}\n',
  '[{"1": 1, !!float 1}]\n[1]\n',
  '[? k',
  '[',
]

test('texts where readers of YAML differ are read as Go reads them', { skip }, () => {
  const readings = readWithGo(texts)
  for (const [index, text] of texts.entries()) {
    const go = readings[index]
    assert.ok(go)
    const { kind = 'same', detail } = differenceOf(text, go) ?? {}
    assert.notEqual(kind, 'undocumented', `${JSON.stringify(text)}: ${detail}`)
  }
})

test('texts of chance are read as Go reads them, but for what the documentation names', { skip }, () => {
  const found = [...runYaml(7, 2_000, texts)].filter(({ kind }) => kind === 'undocumented')
  assert.deepEqual(found, [])
})
