import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestToken } from './request-token.ts'
import { isOverTls, tokenCookies } from './token-cookies.ts'

test('a token of any length comes back as it was, in cookies that a browser takes', () => {
  for (const length of [10, 3_800, 3_801, 20_000]) {
    const token = 'abcdefghij'.repeat(length / 10 + 1).slice(0, length)
    const lines = tokenCookies(token, { isSecure: true, seconds: 3600.9 })
    assert.equal(lines.length, Math.ceil(length / 3_800))
    for (const line of lines) {
      assert.ok(line.length < 4_096)
      assert.ok(line.endsWith('; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure'))
    }
    const cookie = lines.map((line) => line.slice(0, line.indexOf(';'))).join('; ')
    assert.equal(requestToken(new Headers({ cookie })), token)
  }
})

test('a shorter token that follows is not mixed with the parts of the one before', () => {
  const pairs = (token: string) =>
    tokenCookies(token, { isSecure: false, seconds: 1 }).map((line) => line.split(';')[0]?.split('=') ?? [])
  const browser = new Map(
    [...pairs('x'.repeat(9_000)), ...pairs('short')].map(([name, value]) => [name, value]),
  )
  const cookie = [...browser].map(([name, value]) => `${name}=${value}`).join('; ')
  assert.equal(requestToken(new Headers({ cookie })), 'short')
})

test('TLS is seen also where a proxy took it off', () => {
  const over = (url: string, headers: Record<string, string> = {}) =>
    isOverTls({ url, header: new Headers(headers) })
  assert.equal(over('https://a/'), true)
  assert.equal(over('http://a/'), false)
  assert.equal(over('http://a/', { 'x-forwarded-proto': 'https' }), true)
})
