import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadTemplateEngine } from './template.ts'

const engine = await loadTemplateEngine()

const objects =
  '{"Values":{"i":1000000,"f":1234567.0,"n":-1,"big":12345678901234567890,"huge":123456789012345678901234567890,' +
  '"inf":1e999,"map":{"b":[1,{"c":2}],"a":null},"text":"1e3"},"Variables":{"V":"v"},"Constants":{},' +
  '"State":{"Registry":{"Port":1}},"Pkg":{"kind":"ZarfPackageConfig","metadata":{"name":"p"},' +
  '"components":[{"name":"c","images":["i"],"required":true}]}}'

function render(text: string): string {
  return engine.renderPackage({ name: 'm-0.yaml', text, objects })
}

for (const [text, result] of [
  ['{{ .Values.i }} {{ .Values.f }} {{ .Values.n }} {{ .Values.inf }}', '1000000 1.234567e+06 -1 +Inf'],
  ['{{ .Values.big }} {{ .Values.huge }}', '12345678901234567890 123456789012345678901234567890'],
  ['{{ kindOf .Values.i }} {{ kindOf .Values.n }} {{ kindOf .Values.f }}', 'uint64 int64 float64'],
  ['{{ .Values.map }} {{ .Values.map.a }}', 'map[a:<nil> b:[1 map[c:2]]] <no value>'],
  ['{{ .Values.map | toYaml }}', 'a: null\nb:\n- 1\n- c: 2'],
  ['{{ toYaml .Values.text }} {{ toYaml (list "1_0" "0x1" "x") }}', '"1e3" - "1_0"\n- "0x1"\n- x'],
  ['{{ toJson (dict "a" "<&>") }}', '{"a":"\\u003c\\u0026\\u003e"}'],
  ['{{ (fromYaml "a: 010\\nb: yes").a }} {{ (fromYaml "- 1").Error | empty }}', '8 false'],
  ['{{ (fromJson "{\\"a\\": 1}").a }} {{ fromJsonArray "[1, 2]" }}', '1 [1 2]'],
  ['{{ toToml (dict "a" 1) }}{{ (fromToml "b = 2").b }}', 'a = 1\n2'],
  [
    '{{ .Pkg.Metadata.Name }} {{ (.Pkg.GetComponent "c").Images }} {{ (index .Pkg.Components 0).IsRequired }}',
    'p [i] true',
  ],
  ['[{{ .Pkg.Build.Version }}] {{ .Variables.V }} {{ .State.Registry.Port }}', '[] v 1'],
] as const) {
  test(`${text} gives what Zarf's templates give`, () => {
    assert.equal(render(text), result)
  })
}

for (const [text, message] of [
  ['{{ .Build }}', '1:3: executing "m-0.yaml" at <.Build>: map has no entry for key "Build"'],
  ['{{ .Variables.W }}', '1:13: executing "m-0.yaml" at <.Variables.W>: map has no entry for key "W"'],
  ['\n{{ .Values.map.b.c }}', /^template: m-0\.yaml:2:10: .*can't evaluate field c in type interface \{\}/],
  ['{{ .Pkg.GetComponent "x" }}', /no component named "x" in package "p"/],
  ['{{ include "x" . }}', '1: function "include" not defined'],
  [
    '{{ now }}',
    '1: function "now" not defined: it reads the clock, so the same commit would render differently',
  ],
  ['{{ slugify "a" }}', '1: function "slugify" not defined'],
  ['{{ fromYaml (repeat 300000 " ") }}', /a document is larger than 262144 bytes/],
] as const) {
  test(`${text} is refused with the message of Go`, () => {
    const expected = typeof message === 'string' ? `template: m-0.yaml:${message}` : message
    assert.throws(() => render(text), { name: 'InvalidInputError', message: expected })
  })
}

test('what a template names is found without rendering it', () => {
  const text =
    'x: {{ .Values.a.b | now }}\n{{ if index .Values "a-b" "c" }}{{ required "x" .State.q }}{{ end }}\n{{ index .Values $.k }}' +
    '{{ define "t" }}{{ .Values.r }}{{ end }}'
  assert.deepEqual(engine.inspectPackage('m', text), {
    fields: [
      { path: ['Values', 'a', 'b'], line: 1, column: 7 },
      { path: ['Values', 'a-b', 'c'], line: 2, column: 13 },
      { path: ['State', 'q'], line: 2, column: 49 },
      { path: ['Values'], line: 3, column: 10 },
      { path: ['Values', 'r'], line: 3, column: 43 },
    ],
    functions: [
      { path: ['now'], line: 1, column: 21 },
      { path: ['required'], line: 2, column: 36 },
      { path: ['index'], line: 3, column: 4 },
    ],
    undefined: [
      { path: ['now'], line: 1, column: 21 },
      { path: ['required'], line: 2, column: 36 },
    ],
  })
  assert.throws(() => engine.inspectPackage('m', '{{ .a-b }}'), {
    message: "template: m:1: bad character U+002D '-'",
  })
})

test('what a template does to its data is not seen by the next one that is given the same', () => {
  const images = '{"Values":{"map":{"a":1}},"Pkg":{"components":[{"name":"c","images":["b","a"]}]}}'
  const of = (text: string): string => engine.renderPackage({ name: 'm', text, objects: images })
  const look = '{{ .Values.map }} {{ (index .Pkg.Components 0).Images }}'
  assert.equal(of(look), 'map[a:1] [b a]')
  assert.equal(of('{{ $x := set .Values.map "b" 2 }}{{ .Values.map }}'), 'map[a:1 b:2]')
  assert.equal(
    of('{{ $m := .Values.map }}{{ with 1 }}{{ $x := unset $m "a" }}{{ end }}{{ .Values.map }}'),
    'map[]',
  )
  assert.equal(
    of('{{ define "t" }}{{ merge . (dict "c" 3) }}{{ end }}{{ template "t" .Values.map }}'),
    'map[a:1 c:3]',
  )
  assert.equal(of('{{ sortAlpha (index .Pkg.Components 0).Images }}'), '[a b]')
  assert.equal(of(look), 'map[a:1] [b a]')
})
