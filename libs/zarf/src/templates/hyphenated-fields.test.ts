import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHyphenatedFields } from './hyphenated-fields.ts'

for (const [written, read] of [
  ['{{ .Values.my-component.resources }}', '{{ (index .Values "my-component" "resources") }}'],
  ['{{ .Values.a.b-c.d | toYaml }}', '{{ (index .Values.a "b-c" "d") | toYaml }}'],
  ['{{- if $.Values.a-b -}}', '{{- if (index $.Values "a-b") -}}'],
  ['{{ $x.a-b }}{{ .a-b }}', '{{ (index $x "a-b") }}{{ (index . "a-b") }}'],
  ['{{ index .Values.a-b "c" }}', '{{ index (index .Values "a-b") "c" }}'],
  ['{{ .Values.a -}}\n{{- .Values.b }}', '{{ .Values.a -}}\n{{- .Values.b }}'],
  ['{{ .Values.a-}}', '{{ .Values.a-}}'],
  ['{{ "}} .Values.a-b" }} .Values.a-b', '{{ "}} .Values.a-b" }} .Values.a-b'],
  ['{{ `.Values.a-b` }}{{/* .Values.a-b */}}', '{{ `.Values.a-b` }}{{/* .Values.a-b */}}'],
  ['{{- /* .Values.a-b */ -}}{{ .Values.a-b }}', '{{- /* .Values.a-b */ -}}{{ (index .Values "a-b") }}'],
  ['{{ "a\\"b" }}{{ .a-b', '{{ "a\\"b" }}{{ (index . "a-b")'],
  ['{{ 1.5 }}{{ sub .x -1 }}', '{{ 1.5 }}{{ sub .x -1 }}'],
] as const) {
  test(`${written} is read as ${read}`, () => {
    assert.equal(readHyphenatedFields(written).text, read)
  })
}

test('each chain with hyphens is reported with its place', () => {
  assert.deepEqual(readHyphenatedFields('a\n  b: {{ .Values.a-b }} {{ .Values.c-d }}').fields, [
    { written: '.Values.a-b', readAs: '(index .Values "a-b")', line: 2, column: 9 },
    { written: '.Values.c-d', readAs: '(index .Values "c-d")', line: 2, column: 27 },
  ])
})
