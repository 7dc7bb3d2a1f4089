import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { startGeneratorFixture } from '../generator-fixture.ts'

const fixture = await startGeneratorFixture()
after(() => fixture[Symbol.asyncDispose]())
const parameters: typeof fixture.parameters = async (...given) => fixture.parameters(...given)
const goTemplate = { goTemplate: true }

test('the default engine gets texts, and those in values flat', async () => {
  const elements = [{ env: 'dev', values: { region: 'eu', 'a.b': 'c' } }]
  assert.deepEqual(await parameters({ list: { elements } }), [
    {
      origin: 'spec.generators[0].list.elements[0]',
      values: { env: 'dev', 'values.region': 'eu', 'values.a.b': 'c' },
    },
  ])
})

test('Go templates get the elements as they are', async () => {
  const elements = [{ env: { name: 'dev' }, n: 1e6, tags: ['a'], values: { x: 1 } }, {}]
  assert.deepEqual(
    (await parameters({ list: { elements } }, goTemplate)).map(({ values }) => values),
    elements,
  )
})

test('elementsYaml adds elements that are not flattened', async () => {
  const list = {
    elements: [{ a: 'b' }],
    elementsYaml: '[{"a": {"b": 12345678901234567890}, "values": {"x": "y"}}]',
  }
  assert.deepEqual(
    (await parameters({ list })).map(({ values }) => values),
    [{ a: 'b' }, { a: { b: 12345678901234567000 }, values: { x: 'y' } }],
  )
})

for (const [list, message] of [
  [{ elements: [{ a: 'b' }, { a: 1 }] }, /elements\[1\]\.a: error parsing value as string/],
  [{ elements: [{ values: { a: true } }] }, /elements\[0\]\.values\.a: error parsing value as string/],
  [{ elements: [{ values: 'a' }] }, /elements\[0\]\.values: error parsing values map/],
  [{ elements: ['a'] }, /list\.elements\[0\] must be an object, not a string/],
  [{ elements: 'a' }, /list\.elements must be a list, not a string/],
  [{ elementsYaml: 'a: [' }, /list\.elementsYaml: error unmarshling decoded ElementsYaml: .*elementsYaml:1/],
  [
    { elementsYaml: 'a: b' },
    /list\.elementsYaml: error unmarshling decoded ElementsYaml: it must be a list, not an object/,
  ],
  [{ elementsYaml: '[a]' }, /list\.elementsYaml\[0\] must be an object, not a string/],
  [{ elementsYaml: '[]\n---\n[]' }, /list\.elementsYaml must be one YAML document/],
] as const) {
  test(`${JSON.stringify(list)} is refused by its place`, async () => {
    await assert.rejects(
      parameters({ list }),
      (error) =>
        error instanceof InvalidInputError &&
        error.message.startsWith('spec.generators[0].list') &&
        message.test(error.message),
    )
  })
}

test('more than 10,000 elements, and aliases that grow too large, are refused', async () => {
  const elements = Array.from({ length: 10_001 }, () => ({}))
  assert.equal((await parameters({ list: { elements: elements.slice(1) } })).length, 10_000)
  await assert.rejects(
    parameters({ list: { elements } }),
    (error) =>
      error instanceof ResourceExhaustedError &&
      error.message.startsWith('spec.generators[0].list.elements[10000]: a generator makes more than 10000'),
  )
  const bomb = ['- &a [x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 8; level += 1) {
    const [name, inner] = [String.fromCodePoint(97 + level), String.fromCodePoint(96 + level)]
    bomb.push(`- &${name} [${Array.from({ length: 9 }, () => `*${inner}`).join()}]`)
  }
  await assert.rejects(parameters({ list: { elementsYaml: bomb.join('\n') } }), ResourceExhaustedError)
})
