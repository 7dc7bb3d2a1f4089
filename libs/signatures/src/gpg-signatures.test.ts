import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { noSigningPrograms, signedCommit, signedGit } from '@wadi/testing/signing-keys.ts'
import { readSignedObject } from './signed-object.ts'
import { startSignedRepository } from './signed-repository-fixture.ts'
import { TrustedKeys } from './trusted-keys.ts'

describe('GPG signatures', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const signedRepository = starting.use(await startSignedRepository())
  const { repository, mirror, scratch, verifier, home, alice, know, material, verdict, rewritten } =
    signedRepository
  const past = new Date('2020-01-01T12:00:00Z')
  const bob = await home.addKey('Bob <bob@example.com>', { subkey: true })
  const anonymous = await home.addKey('Unknown <unknown@example.com>')
  const expired = await home.addKey('Expired <expired@example.com>', { at: past, expires: '2d' })
  const revoked = await home.addKey('Revoked <revoked@example.com>')
  for (const key of [bob, expired, revoked]) know(key)
  const byAlice = await home.signing(alice)
  const byBob = await home.signing(bob)
  const first = await repository.head()
  const started = starting.move()
  after(() => started.disposeAsync())

  test('a commit that a permitted key signed is accepted, named by key id or fingerprint', async () => {
    const sha = await signedCommit(repository, byAlice, 'Signed')
    assert.equal(await verdict(sha), '')
    assert.equal(await verdict(sha, { gpgKeys: [alice.fingerprint] }), '')
  })

  test('an unsigned commit is refused and says what to sign with', async () => {
    const sha = await repository.commitFiles({}, 'Unsigned\n')
    const keys = `(${alice.keyId})`
    assert.equal(
      await verdict(sha),
      `commit ${sha} by Test <test@example.com> is not signed; sign it with one of the project's keys ${keys} and push it again`,
    )
  })

  test('a key that the project does not list is refused', async () => {
    const sha = await signedCommit(repository, byAlice, 'Signed by Alice')
    const text = await verdict(sha, { gpgKeys: [bob.keyId] })
    assert.match(
      text,
      new RegExp(`GPG key ${alice.keyId} of Alice <alice@example\\.com>, which the project does not list`),
    )
    assert.match(await verdict(sha, { gpgKeys: [] }), /sign it with a key, after the project lists one/)
  })

  test('a key that nobody added is refused, also when the project lists it', async () => {
    const sha = await signedCommit(repository, await home.signing(anonymous), 'Signed by an unknown key')
    const text = await verdict(sha, { gpgKeys: [anonymous.keyId] })
    assert.match(
      text,
      new RegExp(`signed with GPG key ${anonymous.keyId}, which is unknown; if you trust .*"wadi gpg add`),
    )
  })

  test('a key that hides in the entry of another is not accepted', async () => {
    const both = `${await home.publicKey(alice)}${await home.publicKey(anonymous)}`
    const sha = await signedCommit(repository, await home.signing(anonymous), 'Hidden')
    const text = await verdict(sha, {
      gpgKeys: [anonymous.keyId],
      keys: { gpgKeys: { [alice.keyId]: both } },
    })
    assert.match(text, /which is unknown/)
  })

  test('signatures of a subkey are accepted for the subkey and for its primary key', async () => {
    const sha = await signedCommit(repository, byBob, 'Signed with a subkey')
    for (const key of [bob.keyId, bob.fingerprint, bob.subkey, bob.subkey.slice(-16)]) {
      assert.equal(await verdict(sha, { gpgKeys: [key] }), '', key)
    }
    assert.match(await verdict(sha), new RegExp(`GPG key ${bob.subkey.slice(-16)} of Bob .* does not list`))
  })

  test('an expired key is refused with its date', async () => {
    const sha = await signedCommit(repository, await home.signing(expired, { at: past }), 'Signed in time')
    const text = await verdict(sha, { gpgKeys: [expired.keyId] })
    assert.match(
      text,
      new RegExp(`GPG key ${expired.keyId} of Expired .*, which expired on 2020-01-03; have its owner`),
    )
  })

  test('an expired signature is refused with its date', async () => {
    const old = await home.addKey('Old <old@example.com>', { at: past })
    const signing = await home.signing(old, { at: past, expires: '3d' })
    const sha = await signedCommit(repository, signing, 'Signed for three days')
    const keys = { gpgKeys: { [old.keyId]: await home.publicKey(old) } }
    const text = await verdict(sha, { gpgKeys: [old.keyId], keys })
    assert.match(
      text,
      new RegExp(`has a signature of GPG key ${old.keyId} of Old .* that expired on 2020-01-04`),
    )
  })

  test('a revoked key is refused from the moment on that its revocation is stored', async () => {
    const sha = await signedCommit(repository, await home.signing(revoked), 'Signed before the revocation')
    assert.equal(await verdict(sha, { gpgKeys: [revoked.keyId] }), '')
    await home.revoke(revoked)
    const text = await verdict(sha, { gpgKeys: [revoked.keyId] })
    assert.match(text, new RegExp(`GPG key ${revoked.keyId} of Revoked .*, which is revoked`))
  })

  test('a key that was removed is unknown', async () => {
    const sha = await signedCommit(repository, byAlice, 'Signed with a key that goes')
    assert.match(await verdict(sha, { keys: { gpgKeys: {} } }), /which is unknown/)
  })

  test('a commit that was changed after it was signed has a bad signature', async () => {
    const signed = await signedCommit(repository, byAlice, 'Original text')
    const sha = await rewritten(signed, (text) => text.replace('Original text', 'Changed text!'))
    const text = await verdict(sha)
    assert.match(
      text,
      new RegExp(`commit ${sha} .* bad signature of GPG key ${alice.keyId} of Alice .*: its content is not`),
    )
  })

  for (const [what, signature] of [
    ['no base64', '-----BEGIN PGP SIGNATURE-----\n \n nonsense\n -----END PGP SIGNATURE-----'],
    ['X.509', '-----BEGIN SIGNED MESSAGE-----\n MIIB\n -----END SIGNED MESSAGE-----'],
    ['an unknown format', 'signed, Alice'],
    [
      'an SSH signature of nonsense',
      '-----BEGIN SSH SIGNATURE-----\n bm9uc2Vuc2U=\n -----END SSH SIGNATURE-----',
    ],
  ] as const) {
    test(`a signature of ${what} cannot be verified`, async () => {
      const sha = await rewritten(first, (text) => text.replace('\n\n', `\ngpgsig ${signature}\n\n`))
      assert.match(await verdict(sha), /has a signature that cannot be verified: /)
    })
  }

  test('two signatures on one commit cannot be verified, whoever made them', async () => {
    const sha = await signedCommit(repository, byAlice, 'Twice')
    const twice = await rewritten(sha, (text) =>
      text.replace(/gpgsig -----BEGIN PGP SIGNATURE-----\n(?: .*\n)+/, '$&$&'),
    )
    assert.match(await verdict(twice), /cannot be verified: /)
  })

  test("an annotated tag's signature is checked in place of its commit's", async () => {
    const sha = await repository.commitFiles({}, 'Unsigned below a signed tag\n')
    await signedGit(repository, byAlice, ['tag', '-s', 'v1.0.0', '-m', 'Release'])
    assert.match(await verdict(sha), /is not signed/)
    assert.equal(await verdict(sha, { tag: 'v1.0.0' }), '')
    const strict = await verdict(sha, { tag: 'v1.0.0', mode: 'strict' })
    assert.match(strict, new RegExp(`commit ${sha} .* is not signed`))
  })

  test('an unsigned annotated tag is refused although its commit is signed', async () => {
    const sha = await signedCommit(repository, byAlice, 'Signed below an unsigned tag')
    await repository.git.raw(['tag', '-a', 'v2.0.0', '-m', 'Release'])
    assert.equal(await verdict(sha), '')
    assert.match(
      await verdict(sha, { tag: 'v2.0.0' }),
      /^tag v2\.0\.0 by Test <test@example\.com> is not signed/,
    )
  })

  test('a signed tag under another name is refused', async () => {
    const sha = await repository.commitFiles({}, 'Older\n')
    await signedGit(repository, byAlice, ['tag', '-s', 'v3.0.0', '-m', 'Release'])
    await repository.git.raw(['update-ref', 'refs/tags/v4.0.0', 'refs/tags/v3.0.0'])
    assert.match(
      await verdict(sha, { tag: 'v4.0.0' }),
      /^tag v4\.0\.0 is the signed tag v3\.0\.0 under another name/,
    )
  })

  test('without gpg nothing is called verified: the error says what to install', async () => {
    const sha = await signedCommit(repository, byAlice, 'Signed and not verifiable')
    await mirror.fetch(['+refs/heads/*:refs/heads/*'])
    const { bytes } = await mirror.objects.read(sha, 1_000_000)
    await using keys = new TrustedKeys(verifier, await material())
    const searched = process.env['PATH']
    process.env['PATH'] = scratch
    try {
      const checking = keys.check(readSignedObject('commit', sha, bytes))
      await assert.rejects(checking, {
        name: 'FailedPreconditionError',
        message: /^gpg is not installed .*install gnupg/,
      })
    } finally {
      process.env['PATH'] = searched
    }
  })
})
