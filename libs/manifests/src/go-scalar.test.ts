import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatGoFloat } from './go-number.ts'
import { readsAsAnotherType, resolvePlainScalar } from './go-scalar.ts'

test('plain scalars have the values that Kubernetes reads', () => {
  const cases: [string, null | boolean | number | bigint | string][] = [
    ['', null],
    ['~', null],
    ['nUll', 'nUll'],
    ['y', true],
    ['Off', false],
    ['oN', 'oN'],
    ['0777', 511],
    ['0o17', 15],
    ['0899', 899],
    ['0x1F', 31],
    ['-0b11', -3],
    ['0b-1', -1],
    ['0o-7', '0o-7'],
    ['1_000', 1000],
    ['.5_0', 0.5],
    ['.5_', '.5_'],
    ['1e3', 1000],
    ['1e18', 10n ** 18n],
    ['1e19', 1e19],
    ['1e400', '1e400'],
    ['-0.0', 0],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['-9223372036854775809', -(2 ** 63)],
    ['18446744073709551615', 18446744073709551615n],
    ['18446744073709551616', 18446744073709552000],
    ['+9223372036854775808', 9223372036854775808],
    ['1:30', '1:30'],
    ['2001-01-01', '2001-01-01'],
    ['1.2.3', '1.2.3'],
  ]
  for (const [text, value] of cases) assert.deepEqual(resolvePlainScalar(text), value, text)
})

test('text that some reader takes for another type is recognised, its look-alikes are not', () => {
  const others = 'y NO ~ .inf -.Inf 0o-7 .5_0 1:20 2001-1-2 2001-12-14t21:59:43.10-05:00'.split(' ')
  for (const text of [...others, '', '2001-1-1  1:2:3']) assert.equal(readsAsAnotherType(text), true, text)
  const texts = 'inf NaN 1e400 0x1p-2 0o8 0b12 10:70 2024-13-45 2023-02-29 << = 1.2.3'.split(' ')
  for (const text of texts) assert.equal(readsAsAnotherType(text), false, text)
})

test('floats are printed as Go prints them', () => {
  const cases: [number, string][] = [
    [0.5, '0.5'],
    [100000.5, '100000.5'],
    [1234567.5, '1.2345675e+06'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e21, '1e+21'],
    [2 ** 63, '9.223372036854776e+18'],
    [-0, '-0'],
  ]
  for (const [value, text] of cases) assert.equal(formatGoFloat(value), text)
})
