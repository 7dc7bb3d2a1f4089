import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import { requestToken, tokenCookieNames } from './request-token.ts'

const cases: [string, Record<string, string>, string | undefined][] = [
  ['nothing', {}, undefined],
  ['the metadata key of argocd', { token: 'a.b.c' }, 'a.b.c'],
  ['an empty metadata key, as the CLI sends it when nobody is signed in', { token: '' }, undefined],
  ['a token of the operator with blanks', { authorization: 'Bearer one two ' }, 'one two'],
  ['an empty metadata key beside a bearer token', { token: '', authorization: 'Bearer a.b.c' }, 'a.b.c'],
  ['a bearer token in any case of the word', { authorization: 'bearer a.b.c' }, 'a.b.c'],
  ['no other scheme', { authorization: 'Basic YTpi' }, undefined],
  ['no bare text', { authorization: 'a.b.c' }, undefined],
  ['a cookie among others', { cookie: 'theme=dark; argocd.token=a.b.c; x=y' }, 'a.b.c'],
  [
    'no cookie of a similar name',
    { cookie: 'argocd.tokens=a; xargocd.token=b; argocd.token-x=c' },
    undefined,
  ],
  ['an empty cookie', { cookie: 'argocd.token=' }, undefined],
  [
    'parts that are counted from 0',
    { cookie: 'argocd.token-1=b; argocd.token-0=a; argocd.token-2=c' },
    'abc',
  ],
  [
    'as many parts as the first one says',
    { cookie: 'argocd.token=2:a; argocd.token-1=b; argocd.token-2=c' },
    'ab',
  ],
  [
    'the metadata key before all',
    { token: 'one', authorization: 'Bearer two', cookie: 'argocd.token=three' },
    'one',
  ],
  [
    'the bearer token before the cookie',
    { authorization: 'Bearer two', cookie: 'argocd.token=three' },
    'two',
  ],
]

for (const [what, headers, expected] of cases) {
  test(`a token is read from: ${what}`, () => {
    assert.equal(requestToken(new Headers(headers)), expected)
  })
}

test('the cookies of a token are reported by name', () => {
  const names = tokenCookieNames('a=b; argocd.token=2:x; argocd.token-1=y; argocd.token-abc=z')
  assert.deepEqual(names, ['argocd.token', 'argocd.token-1'])
})

test('headers that are made to be slow to read take no time', () => {
  const blanks = ' '.repeat(60_000)
  const milliseconds = threadMs(() => {
    assert.equal(
      requestToken(new Headers({ cookie: `argocd.token=a${blanks}b; argocd.token-1=c` }))?.length,
      60_002,
    )
    assert.equal(
      requestToken({ get: (name) => (name === 'authorization' ? `Bearer${blanks}\u00a0` : null) }),
      undefined,
    )
  })
  assert.ok(milliseconds < 500)
})
