import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChartLocation } from './chart-location.ts'

const policy = { allowFile: false, allowPlainHttp: 'loopback' } as const
const read = (repoUrl: string, chart = 'web') => readChartLocation(repoUrl, chart, policy)

test('a Helm repository may be the root of its host', () => {
  for (const url of ['https://charts.example.com', 'https://charts.example.com/']) {
    assert.deepEqual(read(url), { kind: 'helm', baseUrl: 'https://charts.example.com', name: 'web' })
  }
  assert.equal(read('https://example.com/charts/').baseUrl, 'https://example.com/charts')
})

test('a registry is named with and without its scheme; on this machine it speaks http', () => {
  for (const url of ['oci://registry.example.com/team/charts', 'registry.example.com/team/charts/']) {
    assert.deepEqual(read(url), {
      kind: 'oci',
      baseUrl: 'https://registry.example.com',
      name: 'team/charts/web',
    })
  }
  assert.equal(read('registry.example.com', 'team/charts/web').name, 'team/charts/web')
  for (const chart of ['/web', 'team/', 'team//web', 'team/../web']) {
    assert.throws(() => read('registry.example.com', chart), { name: 'InvalidInputError' }, chart)
  }
  assert.equal(read('127.0.0.1:5000/charts').baseUrl, 'http://127.0.0.1:5000')
  const never = { allowFile: false, allowPlainHttp: 'never' } as const
  assert.equal(readChartLocation('localhost:5000/charts', 'web', never).baseUrl, 'https://localhost:5000')
})

test('a registry elsewhere speaks http where its Secret says so and the operator permits it', () => {
  const always = { allowFile: false, allowPlainHttp: 'always' } as const
  const url = 'oci://registry.internal:5000/charts'
  assert.equal(readChartLocation(url, 'web', always, true).baseUrl, 'http://registry.internal:5000')
  assert.equal(readChartLocation(url, 'web', always).baseUrl, 'https://registry.internal:5000')
  assert.throws(() => readChartLocation(url, 'web', policy, true), /plain http, which is not allowed/)
})

test('what no policy permits, and what could be read as something else, is refused', () => {
  for (const url of [
    'http://charts.example.com',
    'ftp://charts.example.com',
    'file:///charts',
    'https://user:password@charts.example.com',
    'user:password@registry.example.com/charts',
    'https://charts.example.com/?x',
    'registry.example.com/../charts',
    'registry.example.com/Charts',
    '',
  ]) {
    assert.throws(() => read(url), { name: 'InvalidInputError' }, url)
  }
  for (const chart of ['', '..', '../web', 'a/b', 'web?x', '-x', 'x'.repeat(300), 'a..b']) {
    assert.throws(() => read('https://charts.example.com', chart), { name: 'InvalidInputError' }, chart)
  }
})
