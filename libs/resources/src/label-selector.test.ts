import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { parseLabelSelector } from './label-selector.ts'

const labels = { team: 'a', 'example.com/env': 'prod', empty: '' }

for (const [selector, expected] of Object.entries({
  '': true,
  'team=a': true,
  'team==a': true,
  ' team = a ': true,
  'team=b': false,
  'team!=b': true,
  'team!=a': false,
  'missing!=a': true,
  'example.com/env in (dev, prod)': true,
  'example.com/env in(dev,test)': false,
  'example.com/env notin (dev,test)': true,
  'missing notin (a)': true,
  team: true,
  missing: false,
  '!missing': true,
  '! team': false,
  'empty=': true,
  'team=a,example.com/env in (prod,dev),!missing': true,
  'team=a,missing': false,
  toString: false,
  in: false,
})) {
  test(`the selector "${selector}" ${expected ? 'takes' : 'leaves'} the labels`, () => {
    assert.equal(parseLabelSelector(selector)(labels), expected)
  })
}

test('an object without labels fulfils only what asks for none', () => {
  assert.equal(parseLabelSelector('team')(undefined), false)
  assert.equal(parseLabelSelector('!team')(undefined), true)
})

for (const selector of [
  '=a',
  'team=a,',
  'team in a',
  'team in (a',
  '!team=a',
  'a b',
  'team=a b',
  'te/a/m',
  'a>1',
]) {
  test(`the selector "${selector}" is refused`, () => {
    assert.throws(() => parseLabelSelector(selector), InvalidInputError)
  })
}
