import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { verifierPrograms } from '@wadi/testing/signature-verifiers/verifier-programs.ts'
import { noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { attestationPath, readNotes } from './attestation-fixture.ts'
import { verifyWithArgoCd, verifyWithCosign, verifyWithFlux } from './foreign-verifiers-fixture.ts'
import { forgeCommit, hydrateWithEachKey, type SignedRepository } from './verified-repositories-fixture.ts'

const testResultType = 'https://in-toto.io/attestation/test-result/v0.1'
const noFlux = goProgramMissing(verifierPrograms.flux) ?? false
const noArgoCd = goProgramMissing(verifierPrograms.argoCd) ?? false
const noCosign = goProgramMissing(verifierPrograms.cosign) ?? false
const skip = noSigningPrograms || (noFlux && noArgoCd && noCosign)

describe('what others verify of hydrated branches', { skip }, async () => {
  if (skip) return
  const hydrated = await hydrateWithEachKey()
  after(() => hydrated[Symbol.asyncDispose]())
  const { directory, openPgp, ssh } = hydrated

  /** Returns the key of another repository of the same scheme. */
  function foreignKey(of: SignedRepository): SignedRepository {
    const found = [openPgp, ssh].find((all) => all.includes(of))?.find((other) => other !== of)
    assert.ok(found)
    return found
  }
  /** Returns lines of authorized_keys for SSH keys, as the guide makes them of lines of allowed_signers. */
  const fluxKeys = ({ publicKey }: SignedRepository) => publicKey.replaceAll(/^wadi namespaces="git" /gm, '')

  const strict = (keyId: string) => ({
    sourceIntegrity: {
      git: { policies: [{ repos: [{ url: '*' }], gpg: { mode: 'strict', keys: [keyId] } }] },
    },
  })

  test('Flux verifies commits by each kind of key, none that is changed', { skip: noFlux }, async () => {
    for (const signed of [...openPgp, ...ssh]) {
      const keys = fluxKeys(signed)
      assert.equal(await verifyWithFlux(signed, signed.branch, keys), signed.signer, signed.name)
      const foreign = fluxKeys(foreignKey(signed))
      await assert.rejects(verifyWithFlux(signed, signed.branch, foreign), /with any of the given/)
      await assert.rejects(verifyWithFlux(signed, await forgeCommit(signed), keys), /with any of the given/)
      await assert.rejects(verifyWithFlux(signed, 'main', keys), /signature is empty/)
    }
    const [signed, other] = openPgp
    assert.ok(signed && other)
    const both = `${fluxKeys(other)}${fluxKeys(signed)}`
    await assert.rejects(verifyWithFlux(signed, signed.branch, both), /with any of the given/)
  })

  test('Argo CD verifies commits by each kind of OpenPGP key', { skip: noArgoCd }, async () => {
    for (const signed of openPgp) {
      const keys = { [signed.signer]: signed.publicKey }
      const verify = (spec: object) => verifyWithArgoCd(signed, signed.branch, spec, keys)
      assert.equal(await verify({ signatureKeys: [{ keyID: signed.signer }] }), 'GIT/GPG', signed.name)
      assert.equal(await verify(strict(signed.signer)), 'GIT/GPG', signed.name)
    }
  })

  test('Argo CD verifies no commit that is changed or has another key', { skip: noArgoCd }, async () => {
    const [signed, other] = openPgp
    const [signedBySsh] = ssh
    assert.ok(signed && other && signedBySsh)
    const known = { [signed.signer]: signed.publicKey, [other.signer]: other.publicKey }
    const verify = (branch: string, { signer }: SignedRepository, keys = known) =>
      verifyWithArgoCd(signed, branch, strict(signer), keys)
    const forged = await forgeCommit(signed)
    await assert.rejects(verify(forged, signed), /bad signature \(key_id=[0-9A-F]{16}\)\n/)
    await assert.rejects(verify('main', signed), /unsigned \(key_id=\)\n/)
    await assert.rejects(verify(signed.branch, other), /signed with unallowed key/)
    const onlyOther = { [other.signer]: other.publicKey }
    await assert.rejects(verify(signed.branch, signed, onlyOther), /signed with key not in keyring/)
    const bySsh = verifyWithArgoCd(signedBySsh, signedBySsh.branch, strict(signed.signer), known)
    await assert.rejects(bySsh, /unsigned \(key_id=\)\n/)
  })

  test('cosign verifies both statements, none of another subject', { skip: noCosign }, async () => {
    for (const signed of ssh) {
      const { name, repository, branch } = signed
      const file = async (suffix: string, text: string) => {
        await writeFile(join(directory, `${name}.${suffix}`), text)
        return join(directory, `${name}.${suffix}`)
      }
      const pem = await file('pem', await signed.exportKey('--pem'))
      const foreignPem = await file('foreign.pem', await foreignKey(signed).exportKey('--pem'))
      const head = await repository.head(branch)
      const parent = (await repository.commits(branch)).find((commit) => commit !== head) ?? ''
      const sums = await listSums(signed)
      const listed = await file('sums', sums)
      const changed = await file('changed', sums.replace('a', 'b'))
      const envelopes = (await readNotes(repository, attestationPath(head))).trim().split('\n')
      assert.equal(envelopes.length, 2)
      for (const [index, type] of ['slsaprovenance1', testResultType].entries()) {
        const envelope = envelopes[index] ?? ''
        const bundle = await file('bundle', bundleOf(envelope))
        const byKey = (key: string, ...options: string[]) =>
          verifyWithCosign('--key', key, '--bundle', bundle, '--type', type, ...options)
        const commit = (sha: string) => ['--digest', sha, '--digestAlg', 'gitCommit']
        assert.match(await byKey(pem, ...commit(head)), /Verified OK/, name)
        assert.match(await byKey(pem, listed), /Verified OK/, name)
        const unequal = /artifact digests? do(es)? not match/
        await assert.rejects(byKey(pem, changed), unequal)
        await assert.rejects(byKey(pem, ...commit(parent)), unequal)
        const unsigned = /accepted signatures do not match threshold/
        await assert.rejects(byKey(foreignPem, listed), unsigned)
        await file('bundle', bundleOf(changePayload(envelope, head, parent)))
        await assert.rejects(byKey(pem, ...commit(parent)), unsigned)
      }
    }
  })
})

/** Returns the list of a directory's files that a statement has the digest of. */
async function listSums({ name, repository, branch }: SignedRepository): Promise<string> {
  const files = (await repository.files(`${branch}:${name}`)).toSorted()
  const lines = await Promise.all(
    files.map(async (file) => {
      const content = await repository.read(branch, `${name}/${file}`)
      return `${createHash('sha256').update(content).digest('hex')}  ${file}\n`
    }),
  )
  return lines.join('')
}

function bundleOf(envelope: string): string {
  const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json'
  const verificationMaterial = { publicKey: { hint: '' }, tlogEntries: [] }
  const dsseEnvelope: unknown = JSON.parse(envelope)
  return JSON.stringify({ mediaType, verificationMaterial, dsseEnvelope })
}

/** Returns the envelope with another statement and the same signature. */
function changePayload(envelope: string, from: string, to: string): string {
  const { payload, ...signed } = JSON.parse(envelope) as { payload: string }
  const changed = Buffer.from(payload, 'base64').toString().replaceAll(from, to)
  return JSON.stringify({ payload: Buffer.from(changed).toString('base64'), ...signed })
}
