import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GoProgramError, loadGoProgram } from './go-program.ts'

const template = { name: 't', text: '{{ . }}' }
const variable = { name: 'a', value: '1', code: false }

for (const [program, request, message] of [
  ['template', { ...template, data: 1, maximumBytes: 9 }, 'json: unknown field "maximumBytes"'],
  ['template', { ...template, data: 1 }, 'maxBytes is missing'],
  ['template', { ...template, objects: true }, 'maxBytes is missing'],
  ['jsonnet', { file: 'a.jsonnet', variables: [] }, 'json: unknown field "variables"'],
  [
    'policies',
    { policies: '[]', objects: [{ object: '{}', plural: 'pods' }] },
    'json: unknown field "plural"',
  ],
  ['jsonnet', { externalVariables: [{ ...variable, isCode: true }] }, 'json: unknown field "isCode"'],
] as const) {
  test(`${program} does not run a request with the fields ${Object.keys(request).join(', ')}: ${message}`, async () => {
    const go = await loadGoProgram(program)
    assert.throws(
      () => go.call('t', request),
      new GoProgramError(`t: the Go program expects another request: ${message}`),
    )
  })
}

test('what a template in a package sees has no other objects than those that Go knows', async () => {
  const go = await loadGoProgram('template')
  const request = { ...template, maxBytes: 9, objects: true }
  assert.throws(() => go.call('t', request, () => '{"Vals":{}}'), /unknown field "Vals"/)
  assert.equal(
    go.call('t', { ...request, text: 'a' }, () => '{"Pkg":{"x-own":1}}'),
    'a',
  )
})
