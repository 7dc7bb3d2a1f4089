import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { renderFastTemplate } from './fast-template.ts'

const values = { name: 'a', 'path[0]': 'b', 'values.x': 'c', number: 1, tag: '{{name}}', constructor: 'own' }

for (const [text, rendered] of [
  ['{{name}}-{{ path[0] }}-{{  values.x}}', 'a-b-c'],
  [
    '{{unknown}} {{ number }} {{}} {{.name}} {{toString}}',
    '{{unknown}} {{ number }} {{}} {{.name}} {{toString}}',
  ],
  ['{{tag}}', '{{name}}'],
  ['{{constructor}}', 'own'],
  ['{{ {{name}} }}', '{{ {{name}} }}'],
  ['open {{ alone', 'open {{ alone'],
  ['{{\nname}}', '{{\nname}}'],
  ['}} {{', '}} {{'],
  ['{{name}} {{\nname\n}}', 'a a'],
  ['{{name}}{{name}}', 'aa'],
  ['{{{name}}}', '{{{name}}}'],
  ['{{NAME}} {{values}} {{path}}', '{{NAME}} {{values}} {{path}}'],
  ['', ''],
] as const) {
  test(`${JSON.stringify(text)} becomes ${JSON.stringify(rendered)}`, () => {
    assert.equal(renderFastTemplate(text, values), rendered)
  })
}

test('a tag without an end after a whole one is refused', () => {
  assert.throws(
    () => renderFastTemplate('{{name}} {{ open', values),
    new InvalidInputError('invalid template: Cannot find end tag="}}" in "{{ open"'),
  )
})
