import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import { actionWords } from './repeat-words.ts'

function namesIn(text: string): string[] {
  return [...actionWords(text)].flat().map(({ name, isQuoted }) => (isQuoted ? `"${name}"` : name))
}

for (const [text, ...names] of [
  ['now {{ now }} now', 'now'],
  ['{{- now | date "2006-01-02" -}}', 'now', 'date'],
  ['{{ $now := .now }}{{ .Values.now }}{{ $.now }}{{ $x.now }}'],
  ['{{ (now).Year }}{{ now.Year }}{{ $t := now }}', 'now', 'now', 'now'],
  ['{{/* now */}}{{- /* now }} now */ -}}{{ uuidv4 }}', 'uuidv4'],
  ['{{ "now" }}{{ `now }}` }}{{ `a"` }}{{ now }}', 'now'],
  [String.raw`{{ "a\"now" | quote }}{{ '}' }}{{ "}}" }}{{ now }}`, 'quote', 'now'],
  ['{{ tpl "{{ now }}" . }}', 'tpl', '"now"'],
  [String.raw`{{ tpl "{{ printf \"%s\" now }}" . }}`, 'tpl', '"printf"', '"now"'],
  ['{{ tpl `{{ tpl "{{ now }}" . }}` . }}', 'tpl', '"tpl"', '"now"'],
  ['{{ if\n  now\n}}{{ end }}', 'if', 'now', 'end'],
  ['{{ "open\n now }} {{ uuidv4 }}', 'uuidv4'],
  ['{{ `open {{ now }}'],
  ['{{/* open {{ now }}'],
  ['{{ now', 'now'],
  ['no template'],
] as const) {
  test(`the names in ${JSON.stringify(text)} are ${names.join(', ') || 'none'}`, () => {
    assert.deepEqual(namesIn(text), names)
  })
}

test('names are where they stand', () => {
  const text = 'a: {{ upper "x" }}\nb: {{ now }}'
  const [first, second] = [...actionWords(text)].flat()
  assert.deepEqual([text.indexOf('upper'), text.indexOf('now')], [first?.offset, second?.offset])
})

for (const unit of [
  '{{',
  '{{"',
  String.raw`{{"\"`,
  String.raw`{{\"`,
  '{{/*',
  '{{`',
  "{{'",
  '{{"{{',
  '"{{`{{',
]) {
  test(`a hostile text of ${unit} takes no longer than its length allows`, () => {
    const text = unit.repeat(Math.ceil(2_000_000 / unit.length))
    const milliseconds = threadMs(() => {
      for (const words of actionWords(text)) assert.ok(words.length > 0)
    })
    assert.ok(milliseconds < 5_000, `${milliseconds} ms`)
  })
}
