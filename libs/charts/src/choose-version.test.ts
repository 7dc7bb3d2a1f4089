import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseVersion, isExactVersion, isStrictVersion } from './choose-version.ts'

const versions = ['v1.10.0', '1.9.0', '2.0.0-rc.1', 'latest', '1.9.0+build']
const choose = (revision: string) => chooseVersion(versions, revision, 'chart web')

test('a version is the entry of that text, else of an equal version', () => {
  assert.equal(choose('1.9.0'), '1.9.0')
  assert.equal(choose('1.10.0'), 'v1.10.0')
  assert.equal(choose('v1.10'), 'v1.10.0')
})

test('a range is the newest that it accepts', () => {
  assert.equal(choose('1.x'), 'v1.10.0')
  assert.equal(choose('*'), 'v1.10.0')
  assert.equal(choose('>=1.0.0-0'), '2.0.0-rc.1')
})

test('what is not there is an error with what is, and a text that is no version an error of its own', () => {
  assert.throws(() => choose('3.x'), {
    name: 'NotFoundError',
    message: 'chart web has no version "3.x"; the newest are 2.0.0-rc.1, 1.10.0, 1.9.0+build, 1.9.0',
  })
  assert.throws(() => chooseVersion([], '1.0.0', 'chart web'), /it has none/)
  assert.throws(() => choose('latest'), { name: 'InvalidInputError' })
})

test('a range is not exact', () => {
  assert.deepEqual(['1.0.0', 'v1', '1.x', '^1'].map(isExactVersion), [true, true, false, false])
})

test('a tag is a version with three numbers and no v', () => {
  const strict = ['1.2.3', '0.0.16+b1', '1.2.3-rc.1', '1.2.3-0.a+b.c']
  const others = ['v1.2.3', '=1.2.3', '1.2', '1', 'latest', '01.2.3', '1.2.3.4', '1.2.3-01', ' 1.2.3', '']
  assert.deepEqual(
    strict.map(isStrictVersion),
    strict.map(() => true),
  )
  assert.deepEqual(
    others.map(isStrictVersion),
    others.map(() => false),
  )
})
