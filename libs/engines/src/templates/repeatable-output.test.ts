import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadTemplateEngine } from './template.ts'

const engine = await loadTemplateEngine()

test('keys and values of a map come in the order of the keys, each time', () => {
  const names = ['k', 'b', 'j', 'a', 'z', 'd', 'y', 'e', 'x', 'c', 'B', '10', '9']
  const map = Object.fromEntries(names.map((name) => [name, `${name}!`]))
  const sorted = names.toSorted()
  const text = '{{ keys .map (dict "q" 1 "p" 2) | join " " }} {{ values .map | join " " }}'
  const expected = [...sorted, 'p', 'q', ...sorted.map((name) => `${name}!`)].join(' ')
  const objects = JSON.stringify({ Values: { map } })
  const rendered = Array.from({ length: 25 }, () => [
    engine.render({ name: 'm', text, data: { map } }),
    engine.renderPackage({ name: 'm', text: text.replaceAll('.map', '.Values.map'), objects }),
  ]).flat()
  assert.deepEqual([...new Set(rendered)], [expected])
})

test('what a template prints does not depend on where it is in memory', () => {
  const objects =
    '{"Pkg":{"metadata":{"name":"p","allowNamespaceOverride":false},"components":[{"name":"c","required":true}]}}'
  const text =
    '{{ .Pkg.Metadata }} {{ (index .Pkg.Components 0).Required | toString }} {{ toJson .Pkg.Metadata }}'
  assert.equal(
    engine.renderPackage({ name: 'm', text, objects }),
    '{p     false  false      map[] false} true {"name":"p","allowNamespaceOverride":false}',
  )
})
