import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { startGeneratorFixture } from '../generator-fixture.ts'

const fixture = await startGeneratorFixture()
after(() => fixture[Symbol.asyncDispose]())
await fixture.addCluster('c', { labels: { env: 'dev' } })

type Fields = Record<string, unknown>

async function valuesOf(values: unknown, spec: Fields = {}): Promise<unknown> {
  const selector = { matchLabels: { env: 'dev' } }
  const [set] = await fixture.parameters({ clusters: { selector, values } }, spec)
  if (spec['goTemplate'] === true) return set?.values['values']
  const entries = Object.entries(set?.values ?? {}).filter(([key]) => key.startsWith('values.'))
  return Object.fromEntries(entries)
}

test('a value sees what was found and no other value, so that values cannot grow one another', async () => {
  const values = { a: '{{name}}{{name}}', b: '{{values.a}}{{values.a}}', c: '{{values.b}}' }
  assert.deepEqual(await valuesOf(values), {
    'values.a': 'cc',
    'values.b': '{{values.a}}{{values.a}}',
    'values.c': '{{values.b}}',
  })
  const goValues = { a: '{{ .name }}{{ .name }}', b: '{{ .values }}' }
  assert.deepEqual(await valuesOf(goValues, { goTemplate: true }), { a: 'cc', b: '<no value>' })
})

test('keys are not rendered, and no values add nothing', async () => {
  assert.deepEqual(await valuesOf({ '{{name}}': 'x' }), { 'values.{{name}}': 'x' })
  for (const values of [{}, null]) assert.equal(await valuesOf(values, { goTemplate: true }), undefined)
})

for (const [values, message] of [
  ['text', /cluster c: values must be an object, not a string$/],
  [{ a: 1 }, /cluster c: values\.a must be a string, not a number$/],
  [{ a: '{{name}} {{' }, /cluster c: values\.a: invalid template/],
] as const) {
  test(`${JSON.stringify(values)} is refused with its place`, async () => {
    await assert.rejects(
      valuesOf(values),
      (error) =>
        error instanceof InvalidInputError &&
        error.message.startsWith('spec.generators[0].clusters: ') &&
        message.test(error.message),
    )
  })
}
