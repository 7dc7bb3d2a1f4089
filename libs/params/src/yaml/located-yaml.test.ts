import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import { readLocatedDocuments, readLocatedYaml } from './located-yaml.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { partAt } from '../values/located.ts'
import { jsonText } from '../values/value-json.ts'

const textOf = (yaml: string): string => jsonText(readLocatedYaml(yaml, 'v.yaml').value)

test('scalars of values files mean what they mean to Zarf', () => {
  const cases = [
    ['yes', '"yes"'],
    ['on', '"on"'],
    ['y', '"y"'],
    ['True', 'true'],
    ['~', 'null'],
    ['', 'null'],
    ['0o17', '15'],
    ['0x1F', '31'],
    ['0b101', '5'],
    ['010', '8'],
    ['-010', '-8'],
    ['08', '"08"'],
    ['1_000', '1000'],
    ['_1', '"_1"'],
    ['1e3', '"1e3"'],
    ['1.5e3', '1500.0'],
    ['1.0', '1.0'],
    ['.5', '0.5'],
    ['+7', '7'],
    ['1.2.3', '"1.2.3"'],
    ['0X1F', '"0X1F"'],
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
    ['18446744073709551616', '"18446744073709551616"'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['2001-12-14', '"2001-12-14"'],
    ['"1"', '"1"'],
    ['!!str 1', '"1"'],
    ['!!int "1"', '1'],
    ['!!float 1', '1.0'],
    ['!!binary aGk=', '"hi"'],
    ['!custom x', '"x"'],
  ]
  for (const [scalar = '', json = ''] of cases) assert.equal(textOf(`a: ${scalar}`), `{"a":${json}}`, scalar)
})

test('scalars of Kubernetes documents mean what they mean to Kubernetes', () => {
  const [document] = readLocatedDocuments('a: [yes, 1e3, 1.0, 010, 1.5, off]', 'w.yaml')
  assert.equal(document && jsonText(document.value), '{"a":[true,1000,1,8,1.5,false]}')
})

test('keys that are not strings become texts', () => {
  assert.equal(
    textOf('1: a\ntrue: b\nnull: c\n1.5: d\n0x10: e\n'),
    '{"1":"a","true":"b","null":"c","1.5":"d","16":"e"}',
  )
})

test('keys of Kubernetes documents are read as those of manifests are', () => {
  const text = '1.50: a\n1e6: b\ny: c\n'
  const [document] = readLocatedDocuments(text, 'w.yaml')
  assert.equal(document && jsonText(document.value), '{"1.5":"a","1e+06":"b","true":"c"}')
  assert.deepEqual(
    parseManifests(`apiVersion: v1\nkind: K\nm: {1.50: a, 1e6: b, y: c}\n`, { file: 'm.yaml' })[0]?.['m'],
    {
      '1.5': 'a',
      '1e+06': 'b',
      true: 'c',
    },
  )
  const nullKey = new InvalidInputError('w.yaml:2:1: a key must not be null')
  assert.throws(() => readLocatedDocuments('a: 1\n~: 2\n', 'w.yaml'), nullKey)
})

test('every part knows file, line and column', () => {
  const located = readLocatedYaml('a:\n  b: 1\n  list:\n    - x\n', 'dir/v.yaml')
  const places = [[], ['a'], ['a', 'b'], ['a', 'list'], ['a', 'list', '0']].map((path) => {
    const part = partAt(located, path)
    return part && formatLocation(part.at)
  })
  assert.deepEqual(places, [
    'dir/v.yaml:1:1',
    'dir/v.yaml:1:1',
    'dir/v.yaml:2:3',
    'dir/v.yaml:3:3',
    'dir/v.yaml:4:7',
  ])
})

test('only the first document of a values file is read, and nothing is an empty map', () => {
  assert.equal(textOf('a: 1\n---\nb: 2\n'), '{"a":1}')
  for (const empty of ['', '# only a comment\n', '---\n', '---\n---\na: 1\n', 'null']) {
    assert.equal(textOf(empty), '{}', JSON.stringify(empty))
  }
})

test('documents of Kubernetes are all read, and each knows its lines', () => {
  const documents = readLocatedDocuments('# c\n---\na: 1\n---\n# empty\n---\n- b\n', 'w.yaml')
  assert.deepEqual(
    documents.map(({ value, at }) => [jsonText(value), at.line]),
    [
      ['{"a":1}', 3],
      ['["b"]', 7],
    ],
  )
})

test('aliases and merges are where they were written first, below the key that brings them', () => {
  const located = readLocatedYaml('x: &x {a: 1, b: 2}\ny:\n  <<: *x\n  b: 3\nz: *x\n', 'v.yaml')
  assert.equal(jsonText(located.value), '{"x":{"a":1,"b":2},"y":{"a":1,"b":3},"z":{"a":1,"b":2}}')
  const lines = [['y', 'a'], ['y', 'b'], ['z'], ['z', 'b']].map((path) => partAt(located, path)?.at.line)
  assert.deepEqual(lines, [1, 4, 5, 1])
})

test('the first of several merged maps wins, and a merge replaces the keys before it', () => {
  assert.equal(
    textOf('x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz:\n  a: 0\n  <<: [*x, *y]\n'),
    '{"x":{"a":1},"y":{"a":2,"b":2},"z":{"a":1,"b":2}}',
  )
})

test('keys that objects have already are ordinary keys', () => {
  const { value } = readLocatedYaml('__proto__: {polluted: yes}\nconstructor: 1\n', 'v.yaml')
  assert.equal(jsonText(value), '{"__proto__":{"polluted":"yes"},"constructor":1}')
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
})

test('errors name file, line and column', () => {
  const cases = [
    ['a: 1\nb:\n  c: 1\n  c: 2\n', 'v.yaml:4:3: duplicate key "c", which is already at 3:3'],
    ['- a\n', 'v.yaml:1:1: the document must be an object, not a list'],
    ['\n\nword\n', 'v.yaml:3:1: the document must be an object, not a string'],
    ['a: .nan', 'v.yaml:1:4: .nan is a number that JSON cannot hold; quote it if it is a string'],
    ['a: 1\n[b]: 2', 'v.yaml:2:1: a key must be a scalar'],
    ['a: *b', 'v.yaml:1:4: the anchor b is not defined before its alias'],
    ['a: &a [*a]', 'v.yaml:1:8: the anchor a contains itself'],
    ['a: {<<: 1}', 'v.yaml:1:9: the merge key << needs an object or a list of them'],
    ['a: !!int x', 'v.yaml:1:4: cannot read "x" as !!int'],
    ['a: !!binary x', 'v.yaml:1:4: the value of !!binary is not valid base64'],
    ['a: 1\nb: [', 'v.yaml:2:5: unexpected end of the stream within a flow collection'],
  ]
  for (const [yaml = '', message = ''] of cases) {
    assert.throws(() => readLocatedYaml(yaml, 'v.yaml'), new InvalidInputError(message), yaml)
  }
})

test('size, depth and nodes are bounded, what aliases repeat included', () => {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const items = Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*a${level - 1}`))
    return `a${level}: &a${level} [${items.join(',')}]\n`
  })
  const cases: [string, RegExp][] = [
    ['a: '.padEnd(100 * 1024 * 1024, 'x'), /^v\.yaml: larger than the limit of 4194304 bytes \(maxBytes\)$/],
    [`a: ${'['.repeat(5000)}`, /nested deeper than the limit of 200 \(maxDepth\)$/],
    [levels.join(''), /more nodes than the limit of 500000, aliases expanded \(maxNodes\)$/],
    ['a: &a {k: &b {k: &c {k: 1}}}\nd: {k: {k: *a}}\n', /^v\.yaml:2:12: nested deeper than the limit of 4 /],
  ]
  for (const [yaml, message] of cases) {
    const limits = yaml.length < 100 ? { maxDepth: 4 } : {}
    assert.throws(
      () => readLocatedYaml(yaml, 'v.yaml', { limits }),
      (error: Error) => error instanceof ResourceExhaustedError && message.test(error.message),
      String(message),
    )
  }
})
