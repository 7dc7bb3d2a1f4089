import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameOrigin } from './same-origin.ts'

const cases: [string, Record<string, string>, boolean][] = [
  ['a page of this server', { 'sec-fetch-site': 'same-origin' }, true],
  ['a page of another host of the same site', { 'sec-fetch-site': 'same-site' }, false],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['an address that somebody typed or followed', { 'sec-fetch-site': 'none' }, false],
  [
    'a page of another site that names us as its origin',
    { 'sec-fetch-site': 'cross-site', origin: 'https://wadi.example.com' },
    false,
  ],
  ['an old browser on our page', { origin: 'https://wadi.example.com' }, true],
  [
    'an old browser on our page, without TLS in front of a proxy',
    { origin: 'http://wadi.example.com' },
    true,
  ],
  ['an old browser on another port', { origin: 'https://wadi.example.com:8443' }, false],
  ['an old browser on another page', { origin: 'https://wadi.example.com.evil.example' }, false],
  ['a sandboxed page', { origin: 'null' }, false],
  ['no browser, or one that says nothing', {}, false],
]

for (const [name, headers, expected] of cases) {
  test(`${name}: ${expected ? 'ours' : 'not ours'}`, () => {
    const request = { header: new Headers(headers), url: 'https://wadi.example.com/wadi.v1.X/Y' }
    assert.equal(isSameOrigin(request), expected)
  })
}

test('the port decides too', () => {
  const from = (origin: string) =>
    isSameOrigin({ header: new Headers({ origin }), url: 'http://127.0.0.1:8080/x' })
  assert.deepEqual(['http://127.0.0.1:8080', 'http://127.0.0.1', 'http://127.0.0.1:9090'].map(from), [
    true,
    false,
    false,
  ])
})
