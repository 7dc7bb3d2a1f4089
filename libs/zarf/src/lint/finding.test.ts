import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { memoryFiles } from '../memory-files-fixture.ts'
import { planOf, templatePackage } from '../package-fixture.ts'
import { findingsOf, formatFinding, InvalidPackageError, undefinedValueCode } from './finding.ts'
import { lintPackage } from './lint-package.ts'

test('a file that is not YAML is a finding with file, line and column', async () => {
  const [found] = await lintPackage(memoryFiles(templatePackage('x', 'a: 1\nb: [1\n')), 'p')
  assert.ok(found)
  const { at, code, message } = found
  assert.equal(at?.file, 'p/v.yaml')
  assert.ok(at.line !== undefined && at.column !== undefined)
  assert.equal(code, 'yaml-syntax')
  assert.doesNotMatch(message, /v\.yaml/)
  assert.equal(formatFinding(found), `p/v.yaml:${at.line}:${at.column}: ${message}`)
})

test('an undefined value is one finding with code, path and the message of Go', async () => {
  const found = await lintPackage(memoryFiles(templatePackage('a: {{ .Values.a.c }}\n')), 'p')
  assert.deepEqual(
    found.map(({ at, path, code }) => ({ at, path, code })),
    [{ at: { file: 'p/m.yaml', line: 1, column: 7 }, path: '.Values.a.c', code: undefinedValueCode }],
  )
  assert.match(
    found[0]?.message ?? '',
    /references undefined value \.Values\.a\.c: .*map has no entry for key "c"/s,
  )
})

test('the error of a package has its findings as data', async () => {
  await assert.rejects(planOf(templatePackage('a: {{ .Values.x }}\nb: {{ .Values.y }}\n')), (error) => {
    assert.ok(error instanceof InvalidPackageError)
    assert.deepEqual(
      error.findings.map(({ at }) => at?.line),
      [1, 2],
    )
    assert.match(error.message, /^package references values that cannot be resolved/)
    return true
  })
})

for (const [what, parts, at, text] of [
  ['a line of its own', { at: { file: 'b', line: 2 } }, { file: 'a', line: 1 }, 'b:2: broken'],
  ['the same file', { at: { file: 'a' } }, { file: 'a', line: 1 }, 'a: broken'],
  ['another file without a line', { at: { file: 'b' } }, { file: 'a', line: 1 }, 'a:1: b: broken'],
  ['no place', {}, { file: 'a', line: 1 }, 'a:1: broken'],
  ['context with the file', { context: ['a'] }, { file: 'a' }, 'a: broken'],
  ['other context', { context: ['c'], at: { file: 'b', line: 2 } }, { file: 'a' }, 'a: c: b:2: broken'],
] as const) {
  test(`an error with ${what} becomes a finding that names each place once`, () => {
    assert.deepEqual(findingsOf(new InvalidInputError('broken', parts), at).map(formatFinding), [text])
  })
}

test('an error that the input is not to blame for is not a finding', () => {
  const error = new UnavailableError('git is away')
  assert.throws(
    () => findingsOf(error),
    (thrown) => thrown === error,
  )
})
