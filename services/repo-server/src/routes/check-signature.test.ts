import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeSshKey, noSigningPrograms, signedCommit } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { serveRepository } from './served-repository-fixture.ts'

test('the signature of one commit does not count for another', { skip: noSigningPrograms }, async () => {
  await using served = await serveRepository('hydrator')
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-signed-'))
  const { client, repoUrl, repository } = served
  const carol = await makeSshKey(scratch.path, 'carol')
  const keys = { allowedSigners: `carol@example.com ${carol.publicKey}\n` }
  const unsigned = await served.commit({ 'a.yaml': 'a: 1\n' })
  const signed = await signedCommit(repository, carol.signing, 'Signed')
  const bytes = async (sha: string) =>
    Buffer.from(await runTestGit(repository.directory, ['cat-file', 'commit', sha]))
  const check = async (sha: string, commit: Buffer) =>
    (await client.checkSignature({ repoUrl, sha, commit, keys })).signer
  const commit = await bytes(signed)
  for (const id of [unsigned, 'a'.repeat(64)]) {
    await assert.rejects(check(id, commit), {
      name: 'InvalidInputError',
      message: new RegExp(`the bytes of commit ${id} have another id`),
    })
  }
  assert.match(await check(signed, commit), /^signed by carol@example\.com/)
  assert.equal(await check(unsigned, await bytes(unsigned)), 'unsigned')
  // A repository of SHA-256 has its signatures in another header.
  assert.equal(
    await check(hash('sha256', `commit ${commit.length}\0${commit.toString()}`), commit),
    'unsigned',
  )
})
