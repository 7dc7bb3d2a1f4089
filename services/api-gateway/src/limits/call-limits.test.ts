import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administrator } from '../authentication/caller.ts'
import { createCallLimits } from './call-limits.ts'

const someone = { ...administrator, subject: { sub: 'ci', groups: [] }, username: 'ci', tokenId: 'one' }

test('an account may call as often as the limit says, whatever its tokens are', async () => {
  const limits = createCallLimits({ perAccount: 2, perAddress: 0 })
  await limits.count(someone)
  await limits.count({ ...someone, tokenId: 'two' })
  await assert.rejects(limits.count(someone), {
    name: 'ResourceExhaustedError',
    message: /^account ci has made 2 calls in a minute, which is the limit; try again in \d+ s$/,
  })
  await limits.count({ ...someone, subject: { sub: 'other', groups: [] } })
})

test("the operator's own token has no limit", async () => {
  const limits = createCallLimits({ perAccount: 1, perAddress: 1 })
  for (let call = 0; call < 5; call++) await limits.count(administrator)
})

test('anonymous callers of one address, or of one IPv6 network, share a limit', async () => {
  const limits = createCallLimits({ perAccount: 0, perAddress: 1 })
  await limits.countAnonymous('192.0.2.1')
  await assert.rejects(limits.countAnonymous('192.0.2.1'), { name: 'ResourceExhaustedError' })
  await limits.countAnonymous('192.0.2.2')
  await limits.countAnonymous('2001:db8:1:2::1')
  await assert.rejects(limits.countAnonymous('2001:db8:1:2::2'), { name: 'ResourceExhaustedError' })
  await limits.countAnonymous('2001:db8:1:3::1')
})

test('neither another spelling of an address nor a port makes it another', async () => {
  const same = [
    ['2001:db8::1', '2001:db8::a:b:c:d', '2001:0DB8:0:0:1::', '[2001:db8::2]:4711'],
    ['192.0.2.1', '192.0.2.1:4711', '[192.0.2.1]:1'],
    ['::ffff:192.0.2.1', '::ffff:c000:201', '[::FFFF:192.0.2.1]:80'],
  ]
  const limits = createCallLimits({ perAccount: 0, perAddress: 1 })
  for (const [first = '', ...others] of same) {
    await limits.countAnonymous(first)
    for (const other of others) {
      await assert.rejects(limits.countAnonymous(other), { name: 'ResourceExhaustedError' }, other)
    }
  }
  await limits.countAnonymous('::ffff:192.0.2.2')
  await limits.countAnonymous('unix')
})

test('without limits nobody is counted', async () => {
  const limits = createCallLimits({ perAccount: 0, perAddress: 0 })
  for (let call = 0; call < 5; call++) await Promise.all([limits.count(someone), limits.countAnonymous('x')])
})

test('an attempt to sign in uses ten calls of a limit, or all of a smaller one', async () => {
  const limits = createCallLimits({ perAccount: 0, perAddress: 25 })
  await limits.countSignIn('192.0.2.1')
  await limits.countSignIn('192.0.2.1')
  await assert.rejects(limits.countSignIn('192.0.2.1'), { name: 'ResourceExhaustedError' })
  const small = createCallLimits({ perAccount: 0, perAddress: 2 })
  await small.countSignIn('192.0.2.1')
  await assert.rejects(small.countAnonymous('192.0.2.1'), { name: 'ResourceExhaustedError' })
})
