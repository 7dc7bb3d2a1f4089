import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestVersion, parseVersion, parseVersionRange } from './version-range.ts'

function accepted(range: string, ...versions: string[]): string[] {
  const accepts = parseVersionRange(range)
  assert.ok(accepts, range)
  return versions.filter((text) => {
    const version = parseVersion(text)
    return version !== undefined && accepts(version)
  })
}

test('ranges that npm reads in the same way', () => {
  const versions = ['0.9.0', '1.0.0', '1.2.0', '1.2.9', '1.3.0', '2.0.0']
  for (const [range, expected] of [
    ['1.x', ['1.0.0', '1.2.0', '1.2.9', '1.3.0']],
    ['~1.2.0', ['1.2.0', '1.2.9']],
    ['^1.2', ['1.2.0', '1.2.9', '1.3.0']],
    ['>1.2', ['1.3.0', '2.0.0']],
    ['<=1.2', ['0.9.0', '1.0.0', '1.2.0', '1.2.9']],
    ['1.0.0 - 1.2', ['1.0.0', '1.2.0', '1.2.9']],
    ['<1 || >=2', ['0.9.0', '2.0.0']],
    ['*', versions],
  ] as const) {
    assert.deepEqual(accepted(range, ...versions), expected, range)
  }
})

test('commas, blanks after signs, != and the other order of signs are those of Masterminds', () => {
  const versions = ['1.0.0', '1.2.0', '1.2.9', '1.3.0', '2.0.0']
  assert.deepEqual(accepted('>= 1.2, < 2', ...versions), ['1.2.0', '1.2.9', '1.3.0'])
  assert.deepEqual(accepted('=>1.2,=<1.3', ...versions), ['1.2.0', '1.2.9', '1.3.0'])
  assert.deepEqual(accepted('^1, !=1.2', ...versions), ['1.0.0', '1.3.0'])
  assert.deepEqual(accepted('!=1.2.9', ...versions), ['1.0.0', '1.2.0', '1.3.0', '2.0.0'])
})

test('prereleases take part only where a condition of their group names one, of whichever version', () => {
  const versions = ['1.0.0', '1.1.0-rc.1', '1.1.0', '2.0.0-rc.1', '2.0.0']
  assert.deepEqual(accepted('>=1.0.0', ...versions), ['1.0.0', '1.1.0', '2.0.0'])
  assert.deepEqual(accepted('*', ...versions), ['1.0.0', '1.1.0', '2.0.0'])
  assert.deepEqual(accepted('>=1.0.0-0', ...versions), versions)
  assert.deepEqual(accepted('*-0', ...versions), versions)
  assert.deepEqual(accepted('^1.0.0-0', ...versions), ['1.0.0', '1.1.0-rc.1', '1.1.0'])
  assert.deepEqual(accepted('<1.0.1 || >=2.0.0-0', ...versions), ['1.0.0', '2.0.0-rc.1', '2.0.0'])
})

test('a version, a branch and a range with an error are no ranges', () => {
  for (const text of ['1.2.3', 'v1', 'main', '', '>=main', '!=x.y', '1.2.3, nonsense']) {
    assert.equal(parseVersionRange(text), undefined, text)
  }
})

test('the newest is by version and not by text, and what is no version is passed over', () => {
  const all = parseVersionRange('*')
  assert.ok(all)
  assert.equal(newestVersion(['latest', '1.9.0', 'v1.10.0', '1.2'], all), 'v1.10.0')
  assert.equal(newestVersion(['1.0.0+1', '1.0.0+2'], all), '1.0.0+2')
  assert.equal(newestVersion(['latest'], all), undefined)
})
