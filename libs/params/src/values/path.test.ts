import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { formatPath, isDescendant, parseKeyPath, parsePath } from './path.ts'

test('a path of a mapping has keys of letters, digits, underscores and hyphens, each after a dot', () => {
  assert.deepEqual(parsePath('.'), [])
  assert.deepEqual(parsePath('.app'), ['app'])
  assert.deepEqual(parsePath('.a.b-c.D_9'), ['a', 'b-c', 'D_9'])
})

test('a path of a mapping that is none is refused with the path and how to write one', () => {
  for (const text of ['', 'a', 'a.b', '.a.', '.a..b', '..', '.m[0]', '.a b', '."a"', '.a/b', '.a\n']) {
    assert.throws(
      () => parsePath(text),
      new InvalidInputError(
        `invalid path ${JSON.stringify(text)}: write . for the root, or a dot and a key of letters, digits, _ and - for each level, as in .a.b-c`,
      ),
    )
  }
})

test('a path of setValues needs a dot in front and nothing else', () => {
  assert.deepEqual(parseKeyPath('.'), [])
  assert.deepEqual(parseKeyPath('.a..b'), ['a', '', 'b'])
  assert.deepEqual(parseKeyPath('.l[0]'), ['l[0]'])
  assert.throws(
    () => parseKeyPath('q'),
    new InvalidInputError('invalid path format: "q": a path begins with a dot'),
  )
  assert.throws(() => parseKeyPath(''), InvalidInputError)
})

test('a path has no more keys than values files have levels', () => {
  const longest = '.a'.repeat(200)
  for (const read of [parsePath, parseKeyPath]) {
    assert.equal(read(longest).length, 200)
    assert.throws(
      () => read(`${longest}.a`),
      new ResourceExhaustedError(
        `the path "${longest.slice(0, 200)}…" has 201 keys, 200 are allowed: shorten it`,
      ),
    )
  }
})

test('a path is printed as it is read', () => {
  for (const text of ['.', '.a', '.a.b-c']) assert.equal(formatPath(parsePath(text)), text)
})

test('only what is strictly inside is a descendant', () => {
  assert.equal(isDescendant(['a', 'b'], ['a']), true)
  assert.equal(isDescendant(['a'], []), true)
  assert.equal(isDescendant(['a'], ['a']), false)
  assert.equal(isDescendant([], []), false)
  assert.equal(isDescendant(['ab', 'c'], ['a']), false)
})

test('a long or odd path is cut and quoted in the message', () => {
  assert.throws(
    () => parsePath(`.${'x\n'.repeat(1000)}`),
    (error: Error) => {
      assert.ok(error.message.length < 700)
      assert.ok(!error.message.includes('\n'))
      return error instanceof InvalidInputError
    },
  )
})
