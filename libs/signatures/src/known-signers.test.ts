import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openContainment } from '@wadi/containment/containment.ts'
import { pathDirectories } from '@wadi/containment/find-program.ts'
import { makeGpgHome, makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { readEnvelopes, signedEnvelope } from './attestations/envelope.ts'
import { KnownSigners } from './known-signers.ts'
import { openSigningKeys, type SigningKeys } from './signing/signing-keys.ts'
import { readSshPublicKey } from './ssh-public-key.ts'

const commit = Buffer.from('tree 1\n\nMessage\n')
const statement = { _type: 'https://in-toto.io/Statement/v1', text: 'ü' }

describe('known signers', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const { path: directory } = starting.use(await mkdtempDisposable(join(tmpdir(), 'wadi-known-')))
  const containment = starting.use(
    await openContainment({
      directory: join(directory, 'containment'),
      memoryBytes: 512 * 1024 ** 2,
      programDirectories: pathDirectories(process.env['PATH']),
      hidden: [],
      warn: () => undefined,
    }),
  )
  const home = starting.use(await makeGpgHome())
  const started = starting.move()
  after(() => started.disposeAsync())
  const verifier = () => Promise.resolve({ directory, containment })

  function openKey(keyPath: string): Promise<SigningKeys> {
    const entry = { setting: 'KEY', keyPath, passphraseFile: undefined, agentSocket: undefined }
    return openSigningKeys([{ ...entry, projects: [], repositories: [], isFor: () => true }], () => undefined)
  }

  /** The verdicts on a commit and an envelope that a key signed, and on the same signatures over something else. */
  async function verdicts(keyPath: string, keyFile: string): Promise<string[]> {
    await using keys = await openKey(keyPath)
    const signer = keys.signerOf('', '')
    const at = Date.now()
    const [envelope] = readEnvelopes(await signedEnvelope(statement, signer))
    const [signature] = envelope?.signatures ?? []
    assert.ok(envelope && signature)
    assert.deepEqual(JSON.parse(envelope.payload.toString()), statement)
    const signed = [
      { bytes: commit, signature: Buffer.from(await signer.sign(commit)), at },
      { bytes: envelope.signed, signature: signature.bytes, at },
    ]
    const others = signed.map((each) => ({ ...each, bytes: Buffer.from('other') }))
    const content = await readFile(keyFile)
    await using signers = await KnownSigners.open([{ path: keyFile, content }], verifier)
    const checks = await signers.checkAll([...signed, ...others, ...signed])
    return checks.map(({ kind }) => kind)
  }

  test('SSH keys of each kind verify commits and envelopes, by public keys, allowed signers and PEM', async () => {
    for (const [type, bits] of [
      ['ed25519', '256'],
      ['rsa', '2048'],
      ['ecdsa', '256'],
      ['ecdsa', '384'],
      ['ecdsa', '521'],
    ] as const) {
      const name = `${type}-${bits}`
      const { publicKey } = await makeSshKey(directory, name, { type, bits })
      const expected = ['good', 'good', 'bad', 'unreadable', 'good', 'good']
      assert.deepEqual(await verdicts(join(directory, name), join(directory, `${name}.pub`)), expected, name)
      const key = readSshPublicKey(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'))
      await writeFile(join(directory, 'pem'), key?.export({ type: 'spki', format: 'pem' }) ?? '')
      assert.deepEqual(await verdicts(join(directory, name), join(directory, 'pem')), expected, name)
      const old = `wadi valid-before="20200101Z" ${publicKey}\n`
      await writeFile(join(directory, 'allowed'), old)
      const kinds = await verdicts(join(directory, name), join(directory, 'allowed'))
      assert.deepEqual(kinds.slice(0, 2), ['expired', 'expired'])
    }
  })

  test('OpenPGP keys verify many signatures together, good ones after bad ones too', async () => {
    const key = await home.addKey('Wadi')
    await writeFile(join(directory, 'key.asc'), await home.privateKey(key), { mode: 0o600 })
    await writeFile(join(directory, 'public.asc'), await home.publicKey(key))
    const found = await verdicts(join(directory, 'key.asc'), join(directory, 'public.asc'))
    assert.deepEqual(found, ['good', 'good', 'bad', 'bad', 'good', 'good'])
  })

  test('OpenPGP keys in a keyring of gpg verify, and no others', async () => {
    await using other = await makeGpgHome()
    const key = await other.addKey('Keybox')
    await writeFile(join(directory, 'keybox.asc'), await other.privateKey(key), { mode: 0o600 })
    assert.deepEqual(await verdicts(join(directory, 'keybox.asc'), other.keybox), [
      'good',
      'good',
      'bad',
      'bad',
      'good',
      'good',
    ])
    const unlisted = await home.addKey('Unlisted')
    await writeFile(join(directory, 'unlisted.asc'), await home.privateKey(unlisted), { mode: 0o600 })
    assert.deepEqual(
      new Set(await verdicts(join(directory, 'unlisted.asc'), other.keybox)),
      new Set(['unknownKey']),
    )
  })

  test('an OpenPGP signature that brings a text of its own does not count for another text', async () => {
    const key = await home.addKey('Careful')
    await writeFile(join(directory, 'careful.asc'), await home.privateKey(key), { mode: 0o600 })
    await using keys = await openKey(join(directory, 'careful.asc'))
    const armoured = await keys.signerOf('', '').sign(commit)
    const body = armoured.split('\n\n')[1]?.split('\n=')[0] ?? ''
    const literal = Buffer.concat([Buffer.from([0xcb, commit.length + 6, 0x62, 0, 0, 0, 0, 0]), commit])
    const both = Buffer.concat([Buffer.from(body, 'base64'), literal]).toString('base64')
    const forged = `-----BEGIN PGP SIGNATURE-----\n\n${both}\n-----END PGP SIGNATURE-----\n`
    const content = Buffer.from(await home.publicKey(key))
    await using signers = await KnownSigners.open([{ path: 'keys', content }], verifier)
    const checks = await signers.checkAll([
      { bytes: commit, signature: Buffer.from(armoured), at: 0 },
      { bytes: Buffer.from('other'), signature: Buffer.from(forged), at: 0 },
    ])
    assert.deepEqual(
      checks.map(({ kind }) => kind),
      ['good', 'unreadable'],
    )
  })

  test('files without a key that verifies are errors with their name', async () => {
    const cases: [string, RegExp][] = [
      ['-----BEGIN OPENSSH PRIVATE KEY-----\n', /^keys: this is a private key/],
      ['', /^keys: it has no key that verifies: expected OpenPGP public keys/],
      ['wadi ssh-ed25519 AAAA\n', /^keys: allowed_signers:1: the key is not a ssh-ed25519 key/],
      ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', /PEM cannot be read/],
      ['\0\0\0\x20\x01\x01\0\x02KBXf', /^keys: gpg reads no public key of the keyring/],
    ]
    for (const [text, message] of cases) {
      const content = Buffer.from(text)
      await assert.rejects(KnownSigners.open([{ path: 'keys', content }], verifier), { message })
    }
  })
})
