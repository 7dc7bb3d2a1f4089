import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readSelector } from './parameter-selector.ts'

const given = new Map([
  ['env', 'prod'],
  ['url', 'https://example.com/x'],
])

function matches(selector: unknown): boolean {
  return readSelector(selector, 'selector').matches(given)
}

const expression = (key: string, operator: string, ...values: string[]) => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }],
})

test('all requirements apply, with the rules of Kubernetes for absent keys', () => {
  assert.equal(matches({ matchLabels: { env: 'prod', url: 'https://example.com/x' } }), true)
  assert.equal(matches({ matchLabels: { env: 'dev' } }), false)
  assert.equal(matches({ matchLabels: { absent: '' } }), false)
  assert.equal(matches(expression('env', 'In', 'dev', 'prod')), true)
  assert.equal(matches(expression('absent', 'In', '')), false)
  assert.equal(matches(expression('env', 'NotIn', 'prod')), false)
  assert.equal(matches(expression('absent', 'NotIn', 'prod')), true)
  assert.equal(matches(expression('env', 'Exists')), true)
  assert.equal(matches(expression('absent', 'DoesNotExist')), true)
  assert.equal(matches({ ...expression('env', 'Exists'), matchLabels: { env: 'dev' } }), false)
})

test('the empty selector takes everything', () => {
  assert.deepEqual([readSelector({}, 's').isEmpty, matches({}), matches(null)], [true, true, true])
  assert.equal(readSelector(expression('env', 'Exists'), 's').isEmpty, false)
})

test('every error is reported', () => {
  const selector = {
    matchLabels: { 'path[0]': 'a', n: 1 },
    matchExpressions: [
      { key: 'a', operator: 'In' },
      { key: 'a', operator: 'Exists', values: ['x'] },
      { key: 'a', operator: 'Is', values: [] },
      'text',
    ],
  }
  assert.throws(
    () => readSelector(selector, 'spec.generators[0].selector'),
    new InvalidInputError(
      'spec.generators[0].selector: matchLabels: "path[0]" is not a name that a label can have; ' +
        'matchLabels["n"] must be a string, not a number; matchExpressions[0].values: In needs a value; ' +
        'matchExpressions[1].values: Exists takes no values; ' +
        'matchExpressions[2].operator: In, NotIn, Exists or DoesNotExist, not "Is"; matchExpressions[3] must be an object, not a string',
    ),
  )
})
