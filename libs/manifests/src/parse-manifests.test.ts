import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { emitManifests } from './emit-manifests.ts'
import type { JsonValue } from './manifest.ts'
import { defaultManifestLimits, parseManifests } from './parse-manifests.ts'
import type { ManifestLimits } from './parse-manifests.ts'

const head = 'apiVersion: v1\nkind: Probe\n'

function names(text: string): JsonValue[] {
  return parseManifests(text, { file: 'f.yaml' }).map((manifest) => manifest['name'] ?? null)
}

function probe(name: string): string {
  return `${head}name: ${name}\n`
}

function assertInvalid(text: string, message: RegExp): void {
  assert.throws(
    () => parseManifests(text, { file: 'f.yaml' }),
    (error: unknown) => error instanceof InvalidInputError && message.test(error.message),
    text,
  )
}

function assertExhausted(text: string, limits: Partial<ManifestLimits>, message: RegExp): void {
  assert.throws(
    () => parseManifests(text, { file: 'f.yaml', limits }),
    (error: unknown) => error instanceof ResourceExhaustedError && message.test(error.message),
  )
}

test('documents end at every form of marker, and empty ones are left out', () => {
  const text = [
    `# nothing\n---\n---\nnull\n--- # comment\n${probe('a')}`,
    `---   \n${probe('b')}...\n# between\n---\n${probe('c')}`,
    `--- {apiVersion: v1, kind: Probe, name: d}\n---\n~\n---\n`,
  ].join('')
  assert.deepEqual(names(text), ['a', 'b', 'c', 'd'])
})

test('three dashes inside a block scalar or in front of text mark no document', () => {
  const text = `${head}name: |\n  ---\n  x\n  --- # y\nother: >\n  ---\ndashes: ---x\n---\n${probe('---y')}`
  assert.deepEqual(names(text), ['---\nx\n--- # y\n', '---y'])
})

test('CRLF, a byte order mark and directives are read over', () => {
  assert.deepEqual(names(`\ufeff${probe('a')}---\n${probe('b')}`.replaceAll('\n', '\r\n')), ['a', 'b'])
  assert.deepEqual(names(`%YAML 1.1\n---\n${probe('a')}...\n%YAML 1.2\n# x\n---\n${probe('b')}`), ['a', 'b'])
  assert.deepEqual(names(`%TAG !e! tag:yaml.org,2002:\n---\n${probe('!e!str 1')}`), ['1'])
})

test('a byte order mark that begins a later document is read over, and lines of errors stay right', () => {
  const [a, b] = [probe('a'), probe('b')]
  for (const marker of ['---\n', '---\r\n', '--- # next\n', '---\n---\n---\n']) {
    assert.deepEqual(names(`${a}${marker}\ufeff${b}`), ['a', 'b'], JSON.stringify(marker))
  }
  assert.deepEqual(names(`\ufeff${a}---\n\ufeff# comment\n${b}---\n\ufeff`), ['a', 'b'])
  assertInvalid(`${a}---\n\ufeffkind: Probe\n`, /^f\.yaml:5: a Kubernetes object needs the field apiVersion$/)
  assertInvalid(`${a}---\n\ufeff${b}---\nkind: 1\n`, /^f\.yaml:9: kind must be a string, not a number$/)
  assertInvalid(`${a}---\n\ufeffkind: A\n  b: c\n`, /^f\.yaml:6: bad indentation/)
})

test('the items of Lists stand in place of the list, however nested', () => {
  const list = JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'Probe', name: 'b' },
      { apiVersion: 'v1', kind: 'ProbeList', items: [{ apiVersion: 'v1', kind: 'Probe', name: 'c' }] },
      { apiVersion: 'v1', kind: 'List', items: [] },
    ],
  })
  assert.deepEqual(names(`${probe('a')}---\n${list}\n---\n${probe('d')}`), ['a', 'b', 'c', 'd'])
  const [allowList] = parseManifests('apiVersion: v1\nkind: AllowList\nitems: {a: 1}\n', { file: 'f.yaml' })
  assert.deepEqual(allowList?.['items'], { a: 1 })
})

test('what is not an object of Kubernetes is refused with its line, counted over all documents', () => {
  assertInvalid(`${probe('a')}---\n\n# c\nname: b\n`, /^f\.yaml:7: .*field kind/)
  assertInvalid(`${probe('a')}---\nkind: Probe\n`, /^f\.yaml:5: .*field apiVersion/)
  assertInvalid(
    `${probe('a')}---\napiVersion: v1\nname: x\nkind: 7\n`,
    /^f\.yaml:7: kind must be a string, not a number$/,
  )
  assertInvalid(`---\napiVersion: v1\nkind: ''\n`, /^f\.yaml:3: kind is required$/)
  assertInvalid(`${probe('a')}---\n- 1\n`, /^f\.yaml:5: .*not a list/)
  assertInvalid(`---\n---\ntext\n`, /^f\.yaml:3: .*not a string/)
  assertInvalid(`[${JSON.stringify({ apiVersion: 'v1', kind: 'Probe' })}]`, /^f\.yaml:1: .*not a list/)
  assertInvalid(
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n- apiVersion: v1\n',
    /^f\.yaml:6: .*kind/,
  )
  assertInvalid(`${probe('a')}---\n${probe('a: b')}`, /^f\.yaml:7: /)
  assertInvalid(`${probe('a')}---\r\n${probe('"b')}`, /^f\.yaml:\d+: /)
})

test('a duplicate key is refused with the line of the second one', () => {
  assertInvalid(
    `${probe('a')}---\n${head}spec:\n  x: 1\n  y: 2\n  "x": 3\n`,
    /^f\.yaml:10: duplicate key "x"$/,
  )
  assertInvalid(`{"apiVersion":"v1",\n"kind":"Probe",\n"kind":"Other"}`, /^f\.yaml:3: duplicate key "kind"$/)
  assertInvalid(`${head}on: 1\ntrue: 2\n`, /^f\.yaml:4: duplicate key "true"$/)
})

test('where duplicate keys are allowed, the last one stays and each is named with its line', () => {
  const found: string[] = []
  const text = `${probe('a')}---\n${head}x: 1\nm: {k: 2, k: [3], z: 4}\nx: &x {b: 5}\nw: {<<: *x, b: 6}\n`
  const [, manifest] = parseManifests(text, {
    file: 'f.yaml',
    onDuplicateKey: (key, at) => found.push(`${at.file}:${at.line}: ${key}`),
  })
  assert.deepEqual(found, ['f.yaml:8: k', 'f.yaml:9: x'])
  const { x, m, w } = manifest ?? {}
  assert.deepEqual({ x, m, w }, { x: { b: 5 }, m: { k: [3], z: 4 }, w: { b: 6 } })
})

test('numbers that JSON cannot hold, null keys and complex keys are refused with their line', () => {
  assertInvalid(`${head}a:\n  b: -.inf\n`, /^f\.yaml:4: -\.inf/)
  assertInvalid(`${head}a: [1, .NaN]\n`, /^f\.yaml:3: \.NaN/)
  assertInvalid(`${head}~: 1\n`, /^f\.yaml:3: .*null/)
  assertInvalid(`${head}? [a]\n: 1\n`, /^f\.yaml:3: .*scalar/)
  assertInvalid(`${head}a: *b\n`, /^f\.yaml:3: the anchor b is not defined/)
  assertInvalid(`${head}a: &a [*a]\n`, /^f\.yaml:3: the anchor a contains itself/)
  assertInvalid(`${head}a: !!int x\n`, /^f\.yaml:3: cannot read "x" as !!int/)
})

test('aliases are copies, and a merge replaces the keys before it as in Go', () => {
  const text = `${head}a: &a {x: 1, y1: 2}\nb: *a\nc: {x: 3, <<: *a}\nd: {<<: *a, x: 3}\ne: {<<: [{x: 5}, *a]}\nf: {"<<": 1}\n`
  const [manifest] = parseManifests(text, { file: 'f.yaml' })
  assert.ok(manifest)
  const { a, b, c, d, e, f } = manifest
  assert.deepEqual([b, c, d, e], [a, { x: 1, y1: 2 }, { y1: 2, x: 3 }, { x: 5, y1: 2 }])
  assert.deepEqual(f, { '<<': 1 })
  assert.notEqual(a, b)
})

test('core tags apply, other tags are ignored', () => {
  const values = '[!!str 1, !!float 1.5, ! 1, !foo 1, !!js/function x, !!binary aGk=, !foo [y], !!set {a, b}]'
  const [manifest] = parseManifests(`${head}v: ${values}\n`, { file: 'f.yaml' })
  assert.deepEqual(manifest?.['v'], ['1', 1.5, '1', '1', 'x', 'hi', [true], { a: null, b: null }])
})

test('keys of other types are text as Kubernetes spells it, and __proto__ is data', () => {
  const text = `${head}m: {1: a, y: b, 0x10: c, 1.50: d, 1e6: e}\n__proto__: {polluted: true}\n`
  const [manifest] = parseManifests(text, { file: 'f.yaml' })
  assert.deepEqual(manifest?.['m'], { '1': 'a', true: 'b', '16': 'c', '1.5': 'd', '1e+06': 'e' })
  assert.ok(manifest && Object.hasOwn(manifest, '__proto__'))
  assert.equal(Object.getPrototypeOf(manifest), Object.prototype)
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
})

test('every limit is an error that names it', () => {
  assertExhausted(`${head}a: ééé\n`, { maxBytes: 35 }, /^f\.yaml: .*35 bytes \(maxBytes\)/)
  assert.equal(parseManifests(`${head}a: 12345\n`, { file: 'f.yaml', limits: { maxBytes: 36 } }).length, 1)
  assertExhausted(`${probe('a')}---\n`.repeat(3), { maxDocuments: 2 }, /maxDocuments/)
  const list = '{"apiVersion":"v1","kind":"Probe"},'.repeat(3).slice(0, -1)
  assertExhausted(`{"apiVersion":"v1","kind":"List","items":[${list}]}`, { maxDocuments: 2 }, /maxDocuments/)
  assertExhausted(`${head}a: {b: {c: 1}}\n`, { maxDepth: 2 }, /^f\.yaml:3: .*maxDepth/)
  assertExhausted(`${head}a:\n  b:\n    c: 1\n`, { maxDepth: 2 }, /^f\.yaml:5: .*maxDepth/)
  assert.equal(
    parseManifests(`${head}a: {b: {c: 1}}\n`, { file: 'f.yaml', limits: { maxDepth: 3 } }).length,
    1,
  )
  assertExhausted(
    `${head}a: ${'['.repeat(100_000)}`,
    {},
    new RegExp(`limit of ${defaultManifestLimits.maxDepth} \\(maxDepth`),
  )
  assertExhausted(probe('a').repeat(1), { maxNodes: 6 }, /maxNodes/)
  assert.equal(parseManifests(probe('a'), { file: 'f.yaml', limits: { maxNodes: 7 } }).length, 1)
})

test('scalars of megabytes are read without deep recursion or endless arithmetic', () => {
  const size = 3_000_000
  const digits = '9'.repeat(size)
  const text = `${head}quoted: "${'a'.repeat(size)}"\ndigits: ${digits}\nsexagesimal: 1${':1'.repeat(size / 2)}\n`
  const [manifest] = parseManifests(text, { file: 'f.yaml' })
  assert.ok(manifest)
  assert.equal(manifest['quoted'], 'a'.repeat(size))
  assert.equal(manifest['digits'], digits)
  assert.deepEqual(parseManifests(emitManifests([manifest]), { file: 'f.yaml' }), [manifest])
})

test('aliases can multiply neither nodes nor depth beyond the limits', () => {
  const laughs = Array.from({ length: 20 }, (_, level) => {
    const items = level === 0 ? 'ha, ha' : `*l${level - 1}, *l${level - 1}, *l${level - 1}`
    return `l${level}: &l${level} [${items}]\n`
  })
  assertExhausted(head + laughs.join(''), {}, /maxNodes/)
  const tower = Array.from({ length: 30 }, (_, level) => {
    const inner = level === 0 ? '1' : `*t${level - 1}`
    return `t${level}: &t${level} ${'['.repeat(50)}${inner}${']'.repeat(50)}\n`
  })
  assertExhausted(head + tower.join(''), {}, /^f\.yaml:6: .*maxDepth/)
})

test('YAML that Go reads is read: flow collections and texts in quotes may go on at any column', () => {
  const [manifest] = parseManifests(
    'apiVersion: v1\nkind: Probe\nmetadata: {\n  name: p\n}\nargs: [\n  "x"\n]\na: "one\ntwo"\nb: "it\\\'s"\nc: \'x\n\ny\'\n',
    { file: 'f.yaml' },
  )
  const { metadata, args, a, b, c } = manifest ?? {}
  assert.deepEqual([metadata, args, a, b, c], [{ name: 'p' }, ['x'], 'one two', "it's", 'x\ny'])
})

test('objects of JSON after one another are all read, with the escapes of JSON', () => {
  const [a, b] = ['a\\/\\ud83d\\ude00', 'b'].map(
    (name) => `{"apiVersion":"v1","kind":"Probe","name":"${name}"}`,
  )
  assert.deepEqual(names(`${a}\n${b}\n---\n${probe('c')}`), ['a/\u{1f600}', 'b', 'c'])
  assert.deepEqual(names(`${a}${b}`), ['a/\u{1f600}', 'b'])
  assertInvalid(`${a}\n{"kind":"Probe"}`, /^f\.yaml:2: a Kubernetes object needs the field apiVersion$/)
  assertInvalid(`${b}\n\n${b}x: 1\n`, /^f\.yaml:3: /)
})

test('what Go would lose behind the end of a document is refused with its line', () => {
  assertInvalid(
    `{apiVersion: v1, kind: A}\n{apiVersion: v1, kind: B}\n`,
    /^f\.yaml:2: expected the end of the document or ---/,
  )
  assertInvalid(`${probe('a')}...\n${probe('b')}`, /^f\.yaml:5: expected the end of the document or ---/)
})

test('the last line needs no end, and a block scalar in it has one', () => {
  const [manifest] = parseManifests(`${head}a: |\n  x`, { file: 'f.yaml' })
  assert.equal(manifest?.['a'], 'x\n')
})

test('a List whose items are null is left out, and one without items is kept', () => {
  const kinds = (text: string) => parseManifests(text, { file: 'f.yaml' }).map(({ kind }) => kind)
  assert.deepEqual(
    kinds(`apiVersion: v1\nkind: List\nitems:\n---\napiVersion: v1\nkind: ConfigMapList\nitems: null\n`),
    [],
  )
  assert.deepEqual(kinds('{"apiVersion":"v1","kind":"List","items":null}'), [])
  assert.deepEqual(
    kinds(
      'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: PodList, items: null}\n- {apiVersion: v1, kind: A}\n',
    ),
    ['A'],
  )
  assert.deepEqual(kinds('apiVersion: v1\nkind: List\n'), ['List'])
  assert.deepEqual(kinds('apiVersion: x/v1\nkind: AllowList\nitems:\nspec: {}\n'), ['AllowList'])
})

test('a document that is a list of objects is refused with what to do', () => {
  assertInvalid(
    '# c\n- apiVersion: v1\n  kind: A\n- apiVersion: v1\n  kind: B\n',
    /^f\.yaml:2: a Kubernetes object must be an object, not a list; put --- between the objects/,
  )
})
