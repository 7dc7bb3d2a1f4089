import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { loadTemplateEngine } from '@wadi/gotemplate/template.ts'
import { textMap } from '../params/text-map.ts'
import { fastEngine, goEngine } from './text-engine.ts'

const engine = await loadTemplateEngine()

function go(
  text: string,
  values: Record<string, unknown>,
  missingKey: 'default' | 'zero' | 'error' = 'default',
) {
  return goEngine(engine, missingKey)(values)(text, 'spec.template.x')
}

test('Go templates print numbers as float64', () => {
  const n = [123456, 999999, 1000000, 11223344, 0.0001, 0.00001, 12.5, -0, 1e21]
  assert.equal(
    go('{{ range .n }}{{ . }} {{ end }}', { n }),
    '123456 999999 1e+06 1.1223344e+07 0.0001 1e-05 12.5 -0 1e+21 ',
  )
  assert.equal(
    go('{{ .a }} {{ .b }} {{ .c }} {{ int .d }} {{ .d | toJson }}', {
      a: null,
      b: [1, 'a'],
      c: { z: 1, a: 'q' },
      d: 1000000,
    }),
    '<no value> [1 a] map[a:q z:1] 1000000 1000000',
  )
})

test('an absent key follows goTemplateOptions', () => {
  assert.equal(go('{{ .absent }}', { a: 1 }), '<no value>')
  assert.equal(go('{{ .absent }}', { a: 1 }, 'zero'), '<no value>')
  assert.throws(
    () => go('{{ .absent }}', { a: 1 }, 'error'),
    new InvalidInputError(
      'spec.template.x: failed to execute go template {{ .absent }}: template: spec.template.x:1:3: ' +
        'executing "spec.template.x" at <.absent>: map has no entry for key "absent"',
    ),
  )
})

test('an absent key of a map of texts is the empty text where the zero value counts', () => {
  const values = {
    values: textMap({ a: 'b' }),
    clusters: [{ metadata: { labels: textMap({}) } }],
    untyped: { a: 'b' },
  }
  const text =
    '{{ .values.x }},{{ (index .clusters 0).metadata.labels.x }},{{ .untyped.x }},{{ index .values "x" }}'
  assert.equal(go(text, values, 'zero'), ',,<no value>,')
  assert.equal(go(text, values), '<no value>,<no value>,<no value>,')
  assert.throws(() => go(text, values, 'error'), /map has no entry for key "x"$/)
})

test('a Go template that cannot be read is told from one that fails', () => {
  assert.throws(
    () => go('{{ if }}', {}),
    new InvalidInputError(
      'spec.template.x: failed to parse template {{ if }}: template: spec.template.x:1: missing value for if',
    ),
  )
})

test('a text of the default engine that cannot be read names its place', () => {
  assert.throws(
    () => fastEngine({ a: 'b' })('{{a}} {{', 'spec.template.x'),
    new InvalidInputError('spec.template.x: invalid template: Cannot find end tag="}}" in "{{"'),
  )
})

test('what is rendered for one parameter set is bounded', () => {
  const values = { big: 'x'.repeat(1000) }
  assert.throws(() => fastEngine(values)('{{big}}'.repeat(1049), 'p'), ResourceExhaustedError)
  const render = fastEngine(values)
  const text = '{{big}}'.repeat(1048)
  for (let count = 0; count < 4; count += 1) assert.equal(render(text, 'p').length, 1_048_000)
  assert.throws(() => render(text, 'p'), ResourceExhaustedError)
})
