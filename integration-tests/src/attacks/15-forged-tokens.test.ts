import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import type { Protocol } from '../gateway-fixture.ts'
import { usersMeshOfFile } from '../access/users-fixture.ts'

const mesh = await usersMeshOfFile()

const protocols: Protocol[] = ['Connect', 'gRPC']

async function assertRefused(token: string, name: string): Promise<void> {
  for (const protocol of protocols) {
    const call = mesh.connect(token, protocol).applications.listApplications({})
    await assert.rejects(call, { code: Code.Unauthenticated }, `${name} over ${protocol}`)
  }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a session of another algorithm, key, audience, issuer or time is none', async () => {
  const token = await mesh.signIn('ann')
  const [head = '', body = '', signature = ''] = token.split('.')
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
  const withKey = (key: Buffer | string, changed: object, fields: object = {}) => {
    const text = `${encoded({ ...header, ...fields })}.${encoded({ ...claims, ...changed })}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rsa = `${encoded({ ...header, alg: 'RS256' })}.${body}`
  const now = Math.floor(Date.now() / 1_000)
  const forged: Record<string, string> = {
    'alg none': `${encoded({ ...header, alg: 'none' })}.${body}.`,
    'alg None with the signature': `${encoded({ ...header, alg: 'None' })}.${body}.${signature}`,
    'no signature': `${head}.${body}.`,
    'another account': `${head}.${encoded({ ...claims, sub: 'admin:login' })}.${signature}`,
    'later expiry': `${head}.${encoded({ ...claims, exp: now + 9e6 })}.${signature}`,
    'a key of its own': withKey(randomBytes(32), {}),
    'an empty key': withKey('', {}),
    RS256: `${rsa}.${sign('sha256', Buffer.from(rsa), privateKey).toString('base64url')}`,
    ...Object.fromEntries(
      ['', '../../../../dev/null', "' OR '1'='1", 'https://evil.example/jwks', '__proto__', 0, null].map(
        (kid): [string, string] => [`kid ${kid}`, withKey('', {}, { kid })],
      ),
    ),
    'a key in the header': withKey(
      'key',
      {},
      { jwk: { kty: 'oct', k: Buffer.from('key').toString('base64url') } },
    ),
    'another audience': withKey(randomBytes(32), { aud: 'other' }),
    'another issuer': withKey(randomBytes(32), { iss: 'https://evil.example' }),
    'no time of expiry': withKey(randomBytes(32), { exp: undefined }),
    'from the future': withKey(randomBytes(32), { nbf: now + 600 }),
    'parts too many': `${token}.x`,
    'a line break': `${head}\n.${body}.${signature}`.replace('\n', '%0a'),
  }
  for (const [name, text] of Object.entries(forged)) await assertRefused(text, name)
  await mesh.connect(token).applications.listApplications({})
})
