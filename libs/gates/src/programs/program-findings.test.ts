import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectStream } from './object-stream.ts'
import { programFindings } from './program-findings.ts'

const objects = ['web', 'db'].map((name) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } }),
)

function findings(output: string, form: 'sarif' | 'lines' = 'sarif', exitCode = 1) {
  const stream = objectStream(objects, undefined)
  assert.ok(stream)
  return programFindings({ name: 'own', output: form }, { exitCode, output, errorOutput: '' }, stream, 'deny')
}

const note = { level: 'note', message: { text: 'a note' } }
const error = { level: 'error', message: { text: 'an error' } }

test('an error is found behind any number of notes', () => {
  const results = [...Array.from({ length: 1_500 }, () => note), error]
  const found = findings(JSON.stringify({ runs: [{ results }] }))
  assert.equal(found.length, 1_501)
  assert.deepEqual([found[0]?.severity, found.at(-1)?.severity], ['audit', 'deny'])
})

test('SARIF that does not say that everything was judged is an error, whatever else it says', () => {
  const fine = { results: [note], invocations: [{ executionSuccessful: true }] }
  const errors: [runs: unknown, message: RegExp][] = [
    [[], /^its output is not SARIF: no runs$/],
    [undefined, /^its output is not SARIF: no runs$/],
    [[fine, {}], /^its SARIF has no list runs\[1\]\.results$/],
    [[{ ...fine, results: null }], /^its SARIF has no list runs\[0\]\.results$/],
    [
      [{ ...fine, invocations: [{}, { executionSuccessful: false }] }],
      /^its SARIF says runs\[0\]\.invocations\[1\]\.executionSuccessful: false$/,
    ],
  ]
  for (const [runs, message] of errors) {
    for (const exitCode of [0, 1]) {
      const output = JSON.stringify({ runs })
      assert.throws(() => findings(output, 'sarif', exitCode), { name: 'InvalidInputError', message }, output)
    }
  }
  assert.equal(findings(JSON.stringify({ runs: [fine, { results: [] }] }), 'sarif', 0).length, 1)
})

test('a line is of the object that is written there, and of none beyond the objects', () => {
  const names = [0, 1, 7, 8, 14, 15].map(
    (line) => findings(`-:${line}: wrong`, 'lines').map(({ object }) => object.name)[0],
  )
  assert.deepEqual(names, ['', 'web', 'web', 'db', 'db', ''])
})
