import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { renderTexts } from '@wadi/engines/templates/render-texts.ts'
import { loadTemplateEngine } from '@wadi/engines/templates/template.ts'
import { textMap } from '../params/text-map.ts'
import { fastEngine, goEngine, type TextRenderer } from './text-engine.ts'

const engine = await loadTemplateEngine()

function go(
  text: string,
  values: Record<string, unknown>,
  missingKey: 'default' | 'zero' | 'error' = 'default',
) {
  return rendered(goEngine(async (request) => renderTexts(engine, request), missingKey)(values), text)
}

async function rendered(render: TextRenderer, text: string): Promise<string | undefined> {
  const [result] = await render([{ path: 'spec.template.x', text }])
  return result
}

test('Go templates print numbers as float64', async () => {
  const n = [123456, 999999, 1000000, 11223344, 0.0001, 0.00001, 12.5, -0, 1e21]
  assert.equal(
    await go('{{ range .n }}{{ . }} {{ end }}', { n }),
    '123456 999999 1e+06 1.1223344e+07 0.0001 1e-05 12.5 -0 1e+21 ',
  )
  assert.equal(
    await go('{{ .a }} {{ .b }} {{ .c }} {{ int .d }} {{ .d | toJson }}', {
      a: null,
      b: [1, 'a'],
      c: { z: 1, a: 'q' },
      d: 1000000,
    }),
    '<no value> [1 a] map[a:q z:1] 1000000 1000000',
  )
})

test('an absent key follows goTemplateOptions', async () => {
  assert.equal(await go('{{ .absent }}', { a: 1 }), '<no value>')
  assert.equal(await go('{{ .absent }}', { a: 1 }, 'zero'), '<no value>')
  await assert.rejects(
    go('{{ .absent }}', { a: 1 }, 'error'),
    new InvalidInputError(
      'spec.template.x: failed to execute go template {{ .absent }}: template: spec.template.x:1:3: ' +
        'executing "spec.template.x" at <.absent>: map has no entry for key "absent"',
    ),
  )
})

test('an absent key of an object of strings is the empty string where the zero value applies', async () => {
  const values = {
    values: textMap({ a: 'b' }),
    clusters: [{ metadata: { labels: textMap({}) } }],
    untyped: { a: 'b' },
  }
  const text =
    '{{ .values.x }},{{ (index .clusters 0).metadata.labels.x }},{{ .untyped.x }},{{ index .values "x" }}'
  assert.equal(await go(text, values, 'zero'), ',,<no value>,')
  assert.equal(await go(text, values), '<no value>,<no value>,<no value>,')
  await assert.rejects(go(text, values, 'error'), /map has no entry for key "x"$/)
})

test('a Go template that cannot be parsed and one that fails have different errors', async () => {
  await assert.rejects(
    go('{{ if }}', {}),
    new InvalidInputError(
      'spec.template.x: failed to parse template {{ if }}: template: spec.template.x:1: missing value for if',
    ),
  )
})

test('a text of the default engine that cannot be read names its place', async () => {
  await assert.rejects(
    rendered(fastEngine({ a: 'b' }), '{{a}} {{'),
    new InvalidInputError('spec.template.x: invalid template: Cannot find end tag="}}" in "{{"'),
  )
})

test('what is rendered for one parameter set is bounded', async () => {
  const values = { big: 'x'.repeat(1000) }
  await assert.rejects(rendered(fastEngine(values), '{{big}}'.repeat(1049)), ResourceExhaustedError)
  const render = fastEngine(values)
  const text = '{{big}}'.repeat(1048)
  for (let count = 0; count < 4; count += 1) {
    assert.equal((await rendered(render, text))?.length, 1_048_000)
  }
  await assert.rejects(rendered(render, text), ResourceExhaustedError)
})
