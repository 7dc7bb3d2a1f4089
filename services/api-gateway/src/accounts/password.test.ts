import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from 'bcryptjs'
import { type Account } from './account.ts'
import { isPasswordOf, putPassword, requireGoodPassword } from './password.ts'
import type { SignInObjects } from './sign-in-objects.ts'

const account: Account = {
  name: 'alice',
  enabled: true,
  capabilities: ['login'],
  passwordHash: undefined,
  passwordSetAt: 0,
  tokens: [],
}

test('a password is compared in full, also where bcrypt looks at 72 bytes only', async () => {
  const long = 'x'.repeat(72)
  const passwordHash = await hash(long, 4)
  assert.equal(await isPasswordOf({ ...account, passwordHash }, long), true)
  assert.equal(await isPasswordOf({ ...account, passwordHash }, `${long}y`), false)
  assert.equal(await isPasswordOf({ ...account, passwordHash }, ''), false)
  assert.equal(await isPasswordOf(account, '-'), false)
  assert.equal(await isPasswordOf(undefined, '-'), false)
  assert.equal(await isPasswordOf({ ...account, passwordHash: 'no hash at all' }, 'x'), false)
})

test('a new password has 8 to 32 characters, or matches the pattern of argocd-cm', () => {
  const objects = (config: Record<string, string>): SignInObjects => ({ config }) as SignInObjects
  requireGoodPassword(objects({}), '12345678')
  requireGoodPassword(objects({}), 'ä'.repeat(32))
  const refused = { message: 'new password does not match the following expression: ^.{8,32}$' }
  for (const password of ['', '1234567', 'x'.repeat(33), '12345678\n']) {
    assert.throws(() => requireGoodPassword(objects({}), password), refused, JSON.stringify(password))
  }
  assert.throws(() => requireGoodPassword(objects({}), '\u{1F511}'.repeat(32)), /longer than 72 bytes/)
  const strict = objects({ passwordPattern: '^[a-z]+[0-9]+$' })
  requireGoodPassword(strict, 'a1')
  assert.throws(() => requireGoodPassword(strict, '12345678'), /\^\[a-z\]\+\[0-9\]\+\$/)
})

test('each new password is set at a later second, in the form of Argo CD', () => {
  const texts = new Map<string, string>()
  const time = () => texts.get('accounts.alice.passwordMtime')
  putPassword(texts, 'alice', 'one', 1_000.7)
  assert.equal(time(), '1970-01-01T00:16:41Z')
  putPassword(texts, 'alice', 'two', 1_000.8)
  assert.equal(time(), '1970-01-01T00:16:42Z')
  assert.equal(texts.get('accounts.alice.password'), 'two')
  putPassword(texts, 'admin', 'three', 0)
  assert.equal(texts.get('admin.passwordMtime'), '1970-01-01T00:00:01Z')
})
