import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue, Manifest } from './manifest.ts'
import { manifestFromJson } from './manifest-json.ts'
import { maskRandom, randomFields } from './random-fields.ts'

function object(kind: string, rest: { [key: string]: JsonValue }, name = 'a'): Manifest {
  return { apiVersion: 'v1', kind, metadata: { name }, ...rest }
}

const text = (...manifests: Manifest[]): string[] => manifests.map((manifest) => JSON.stringify(manifest))
const maskOf = (one: Manifest, other: Manifest) =>
  maskRandom([{ objects: randomFields(text(one), text(other)) }])
const base64 = (value: string): string => Buffer.from(value).toString('base64')
const random = '<random at each render>'

test('a field that differs is masked wherever it is, and what is beside it stays', () => {
  const made = (value: string) =>
    object('Job', {
      spec: {
        env: [
          { name: 'A', value: 'a' },
          { name: 'B', value },
        ],
        ['__proto__']: 1,
      },
      keep: 1,
    })
  const fields = randomFields(text(made('one')), text(made('two')))
  assert.deepEqual(fields, [
    {
      group: '',
      kind: 'Job',
      namespace: '',
      name: 'a',
      fields: [{ path: ['spec', 'env', '1', 'value'], lines: [] }],
    },
  ])
  assert.deepEqual(maskRandom([{ objects: fields }])(made('three')), made(random))
  const other = { ...made('three'), metadata: { name: 'b' } }
  assert.equal(maskRandom([{ objects: fields }])(other), other)
})

test('of a text of several lines only those are masked that differ, in the data of Secrets too', () => {
  const file = (password: string, level: string): string =>
    `# settings\npassword: ${password}\nlevel: ${level}\n`
  for (const made of [
    (content: string) => object('ConfigMap', { data: { file: content, plain: 'x' } }),
    (content: string) =>
      object('Secret', { data: { file: base64(content), plain: base64('x'), raw: '/w==' } }),
  ]) {
    const fields = randomFields(text(made(file('one', 'info'))), text(made(file('two', 'info'))))
    assert.deepEqual(fields[0]?.fields, [{ path: ['data', 'file'], lines: [1] }])
    const masked = maskRandom([{ objects: fields }])
    const after = `# settings\n${random}\nlevel: debug\n`
    assert.deepEqual(masked(made(file('three', 'debug'))), made(after))
  }
})

test('texts that differ in every line or in their number of lines are masked whole', () => {
  for (const [one, other] of [
    ['a\nb', 'c\nd'],
    ['a\nb', 'a\nb\nc'],
  ] as const) {
    const made = (value: string) => object('ConfigMap', { data: { value } })
    assert.deepEqual(maskOf(made(one), made(other))(made(other)), made(random))
  }
})

test('a mask takes no field of another shape for its own', () => {
  const made = (value: JsonValue) => object('ConfigMap', { data: { value } })
  const lines = maskOf(made('a\nb'), made('a\nc'))
  for (const value of [1, null, ['a', 'b'], { a: 'b' }, 'a'])
    assert.deepEqual(lines(made(value)), made(value))
  const inner = maskOf(made({ a: 'b' }), made({ a: 'c' }))
  for (const value of [1, null, 'a', ['a'], { b: 'b' }]) assert.deepEqual(inner(made(value)), made(value))
})

test('an object that comes several times in a render has no random fields', () => {
  const made = (value: string) => text(object('ConfigMap', { data: { value } }))
  assert.deepEqual(randomFields([...made('a'), ...made('b')], [...made('a'), ...made('c')]), [])
})

test('integers beyond those of JavaScript are compared', () => {
  const made = (last: number): string =>
    `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"n":900719925474099${last}}`
  const fields = randomFields([made(2)], [made(3)])
  assert.deepEqual(fields[0]?.fields, [{ path: ['n'], lines: [] }])
  assert.equal(maskRandom([{ objects: fields }])(manifestFromJson(made(3)))['n'], random)
})

test('the fields of one source are bounded', () => {
  const made = (value: number) =>
    object('ConfigMap', {
      data: Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`k${index}`, value])),
    })
  assert.equal(randomFields(text(made(1)), text(made(2)))[0]?.fields.length, 10_000)
})
