import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAllowedSigners, readRevokedKeys } from './allowed-signers.ts'

/** A public key in SSH's encoding; only its form matters here. */
function publicKey(type: string, byte: number): string {
  const name = Buffer.from(type)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(name.length)
  return `${type} ${Buffer.concat([length, name, Buffer.alloc(32, byte)]).toString('base64')}`
}

const key = publicKey('ssh-ed25519', 1)

test('lines give principals, keys and times; comments and other namespaces are left out', () => {
  const text = `
# team
alice@example.com,a@example.com ${key} laptop
bob@example.com namespaces="file,git",valid-after="20240101Z",valid-before="20250203040506Z" ${key}
"carol d" namespaces="file" ${key}
`
  const signers = readAllowedSigners(text)
  assert.deepEqual(
    signers.map(({ principals, validAfter, validBefore }) => [principals, validAfter, validBefore]),
    [
      [['alice@example.com', 'a@example.com'], undefined, undefined],
      [['bob@example.com'], Date.UTC(2024, 0, 1), Date.UTC(2025, 1, 3, 4, 5, 6)],
    ],
  )
  assert.match(signers[0]?.fingerprint ?? '', /^SHA256:[A-Za-z0-9+/]{43}$/)
})

for (const [line, message] of [
  [
    `*@example.com ${key}`,
    'allowed_signers:1: patterns of principals are not supported; write each principal',
  ],
  [`a cert-authority ${key}`, /^allowed_signers:1: option "cert-authority" is not supported/],
  ['alice@example.com', /^allowed_signers:1: expected principals, a key type and a key/],
  ['a ssh-ed25519 AAAA', 'allowed_signers:1: the key is not a ssh-ed25519 key'],
  [`a ${key.replace('ssh-ed25519', 'ssh-rsa')}`, 'allowed_signers:1: the key is not a ssh-rsa key'],
  [`a valid-before="soon" ${key}`, /^allowed_signers:1: valid-before must be YYYYMMDD/],
  [`a valid-before="20241399" ${key}`, /^allowed_signers:1: valid-before is not a time/],
] as const) {
  test(`refuses ${JSON.stringify(line.slice(0, 40))}`, () => {
    assert.throws(() => readAllowedSigners(`${line}\n`), { name: 'InvalidInputError', message })
  })
}

test('revoked keys are given as keys or fingerprints', () => {
  const [signer] = readAllowedSigners(`a ${key}`)
  assert.deepEqual([...readRevokedKeys(`# gone\n${key} laptop\n`)], [signer?.fingerprint])
  assert.deepEqual([...readRevokedKeys(signer?.fingerprint ?? '')], [signer?.fingerprint])
  assert.throws(() => readRevokedKeys('alice\n'), {
    message: /^revoked_keys:1: expected a public key or a fingerprint/,
  })
})
