import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float, type Value } from '../values/value.ts'
import { hideInValues } from './hidden-texts.ts'

test('hidden texts are not shown in any value, whole or within others', () => {
  const hide = hideInValues(['s3cret', 's3cret-longer', '20261', 'x', '', 'pem\nlines\n', '$&'])
  const cases: [Value, Value][] = [
    ['s3cret', '<hidden>'],
    ['db://u:s3cret-longer@host?p=s3cret', 'db://u:<hidden>@host?p=<hidden>'],
    [20261, '<hidden>'],
    [202_610, 202_610],
    ['x', '<hidden>'],
    ['xylophone', 'xylophone'],
    ['pem\nlines', '<hidden>'],
    ['', ''],
    [null, null],
    [true, true],
    [new Map<string, Value>([['a', ['s3cret', 1]]]), new Map<string, Value>([['a', ['<hidden>', 1]]])],
  ]
  for (const [value, shown] of cases) assert.deepEqual(hide(value), shown)
  const float = new Float(0.5)
  assert.equal(hide(float), float)
  assert.equal(hideInValues([])('a'), 'a')
})
