import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { startContainment } from '@wadi/containment/containment-fixture.ts'
import { makeGpgHome, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { openGpgKeyring } from './gpg-keyring.ts'

const skip = noSigningPrograms
await using starting = new AsyncDisposableStack()
const contained = starting.use(await startContainment())
const verifier = { directory: contained.directory, containment: contained.containment }
const started = starting.move()
after(() => started.disposeAsync())

test('a keyring lists fingerprint, type, owner and expiry of its keys', { skip }, async () => {
  await using home = await makeGpgHome()
  const key = await home.addKey('Ann: Ops <ann@example.com>', {
    at: new Date('2020-01-01T00:00:00Z'),
    expires: '10d',
  })
  await using keyring = await openGpgKeyring(verifier, [
    Buffer.from(await home.publicKey(key)),
    Buffer.from('nonsense'),
  ])
  assert.deepEqual(keyring.keys, [
    {
      keyId: key.keyId,
      fingerprint: key.fingerprint,
      type: 'ed25519',
      owner: 'Ann: Ops <ann@example.com>',
      expiresAt: Date.UTC(2020, 0, 11),
      revoked: false,
      subkeys: [],
    },
  ])
  assert.match(await keyring.armoured(key.fingerprint), /^-----BEGIN PGP PUBLIC KEY BLOCK-----/)
})

test('a private key is refused', { skip }, async () => {
  await using home = await makeGpgHome()
  const key = await home.addKey('Ann <ann@example.com>')
  const opening = openGpgKeyring(verifier, [Buffer.from(await home.privateKey(key))])
  await assert.rejects(opening, { name: 'InvalidInputError', message: /^this is a private GPG key/ })
})

test('blocks that are too large are refused before gpg sees them', async () => {
  for (const blocks of [
    [Buffer.alloc(256 * 1024 + 1)],
    Array.from({ length: 5 }, () => Buffer.alloc(250 * 1024)),
  ]) {
    await assert.rejects(openGpgKeyring(verifier, blocks), {
      name: 'InvalidInputError',
      message: /^GPG keys may have 262144 bytes/,
    })
  }
})

test(
  'a key whose owner is written to control a terminal is shown with the codes written out',
  { skip },
  async () => {
    await using home = await makeGpgHome()
    const key = await home.addKey('Eve \u001b[2J <eve@example.com>')
    await using keyring = await openGpgKeyring(verifier, [Buffer.from(await home.publicKey(key))])
    assert.equal(keyring.keys[0]?.owner, String.raw`Eve \x1b[2J <eve@example.com>`)
  },
)

test('more keys than anybody has are refused', async () => {
  const opening = openGpgKeyring(
    verifier,
    Array.from({ length: 1_001 }, () => Buffer.from('x')),
  )
  await assert.rejects(opening, { message: '1001 GPG keys are too many; at most 1000 are accepted' })
})

test('nothing of a keyring is left behind, neither files nor an agent', { skip }, async () => {
  await using home = await makeGpgHome()
  const key = await home.addKey('Ann <ann@example.com>')
  {
    await using keyring = await openGpgKeyring(verifier, [Buffer.from(await home.publicKey(key))])
    assert.equal(keyring.keys.length, 1)
  }
  await assert.rejects(openGpgKeyring(verifier, [Buffer.from(await home.privateKey(key))]))
  assert.deepEqual(await readdir(contained.directory), [])
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(
    processes.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  )
  assert.deepEqual(
    commands.filter((command) => command.includes(contained.directory)),
    [],
  )
})
