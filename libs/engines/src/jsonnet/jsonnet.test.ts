import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { loadJsonnet, type JsonnetRequest } from './jsonnet.ts'

const jsonnet = await loadJsonnet()

/** Evaluates `app/main.jsonnet` of the given files. */
function evaluate(
  files: Record<string, string | Uint8Array>,
  request: Partial<JsonnetRequest> = {},
): unknown {
  const contents = new Map(Object.entries(files))
  const output = jsonnet.evaluate({
    file: 'app/main.jsonnet',
    read: (path) => {
      const content = contents.get(path)
      return typeof content === 'string' ? Buffer.from(content) : content
    },
    libraries: [],
    externalVariables: [],
    topLevelArguments: [],
    ...request,
  })
  return JSON.parse(output)
}

test('the answer is JSON text as Jsonnet prints it', () => {
  const read = (): Uint8Array => Buffer.from('{ b: 1 + 1, a:: 0, c: "é" }')
  const given = { libraries: [], externalVariables: [], topLevelArguments: [] }
  assert.equal(jsonnet.evaluate({ file: 'x.jsonnet', read, ...given }), '{\n   "b": 2,\n   "c": "é"\n}\n')
})

test('imports are found beside the importing file', () => {
  const files = {
    'app/main.jsonnet': '{ a: import "lib/a.libsonnet", text: importstr "../t.txt", bytes: importbin "raw" }',
    'app/lib/a.libsonnet': 'import "./b.libsonnet"',
    'app/lib/b.libsonnet': '{ from: std.thisFile }',
    't.txt': 'ünï\n',
    'app/raw': new Uint8Array([0, 255, 128]),
  }
  assert.deepEqual(evaluate(files), {
    a: { from: 'app/lib/b.libsonnet' },
    text: 'ünï\n',
    bytes: [0, 255, 128],
  })
})

test('an import that is not beside the file comes from the last library that has it', () => {
  const files = {
    'app/main.jsonnet': '[import "x.libsonnet", import "only-first.libsonnet", import "beside.libsonnet"]',
    'app/beside.libsonnet': '"beside"',
    'first/beside.libsonnet': '"library"',
    'first/x.libsonnet': '"first"',
    'first/only-first.libsonnet': '"only first"',
    'second/x.libsonnet': '"second"',
  }
  assert.deepEqual(evaluate(files, { libraries: ['first', './second/'] }), ['second', 'only first', 'beside'])
})

test('external variables and top-level arguments are text or code', () => {
  const files = { 'app/main.jsonnet': 'function(a, b=2) [a, b, std.extVar("c"), std.extVar("d")]' }
  const answer = evaluate(files, {
    topLevelArguments: [
      { name: 'a', value: '1', code: false },
      { name: 'b', value: '1 + 2', code: true },
    ],
    externalVariables: [
      { name: 'c', value: '{ x: 1 }', code: true },
      { name: 'd', value: 'text', code: false },
    ],
  })
  assert.deepEqual(answer, ['1', 3, { x: 1 }, 'text'])
})

test('nothing of one evaluation is seen by the next', () => {
  const variable = { externalVariables: [{ name: 'c', value: 'x', code: false }] }
  assert.equal(evaluate({ 'app/main.jsonnet': 'std.extVar("c")' }, variable), 'x')
  assert.throws(() => evaluate({ 'app/main.jsonnet': 'std.extVar("c")' }), /undefined external variable: c/iu)
  assert.equal(evaluate({ 'app/main.jsonnet': 'import "x"', 'app/x': '1' }), 1)
  assert.equal(evaluate({ 'app/main.jsonnet': 'import "x"', 'app/x': '2' }), 2)
})

test('a path that leaves the repository is refused by name and never read', () => {
  for (const path of ['../../etc/passwd', '/etc/passwd', 'x/../../../etc/passwd']) {
    const asked: string[] = []
    const read = (wanted: string): Uint8Array | undefined => {
      asked.push(wanted)
      return wanted === 'app/main.jsonnet' ? Buffer.from(`importstr "${path}"`) : Buffer.from('secret')
    }
    assert.throws(
      () => evaluate({}, { read }),
      (error) =>
        error instanceof InvalidInputError && error.message.includes(`"${path}" leaves the repository`),
    )
    assert.deepEqual(asked, ['app/main.jsonnet'])
  }
  assert.throws(() => evaluate({}, { file: '../main.jsonnet' }), /"..\/main.jsonnet" leaves the repository/u)
  assert.throws(() => evaluate({}, { file: '/main.jsonnet' }), /"\/main.jsonnet" leaves the repository/u)
  const missing = { 'app/main.jsonnet': 'import "x"' }
  assert.throws(() => evaluate(missing, { libraries: ['/etc'] }), /leaves the repository/u)
  assert.throws(() => evaluate(missing, { libraries: ['..'] }), /leaves the repository/u)
})

test('errors name the file and the place', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ 'app/main.jsonnet': '{\n  a: error "boom" }' }, /RUNTIME ERROR: boom\n\tapp\/main\.jsonnet:2:6-18/u],
    [{ 'app/main.jsonnet': '{\n a: 1 + }' }, /^app\/main\.jsonnet:2:9-10 Unexpected: "\}"/u],
    [
      { 'app/main.jsonnet': 'import "absent"' },
      /couldn't open import "absent"[^]*app\/main\.jsonnet:1:1-16/u,
    ],
    [{}, /^app\/main\.jsonnet: there is no such file$/u],
  ]
  for (const [files, message] of cases) {
    assert.throws(
      () => evaluate(files),
      (error) => error instanceof InvalidInputError && message.test(error.message),
    )
  }
})

test('endless recursion ends at the bound of the stack, and what breaks the program is an error as well', () => {
  assert.throws(
    () => evaluate({ 'app/main.jsonnet': 'local f(x) = f(x + 1) + 1; f(0)' }),
    /max stack frames exceeded/u,
  )
  assert.throws(
    () => evaluate({ 'app/main.jsonnet': '['.repeat(100_000) }),
    (error) => error instanceof InvalidInputError && error.message.includes('too deeply'),
  )
  assert.equal(evaluate({ 'app/main.jsonnet': '1 + 1' }), 2)
})

test('an error of the reader reaches the caller unchanged', () => {
  const failure = new Error('the mirror is gone')
  const read = (): never => {
    throw failure
  }
  assert.throws(
    () => evaluate({}, { read }),
    (error) => error === failure,
  )
})
