import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { makeSshKey, noSigningPrograms, signedCommit, signedGit } from '@wadi/testing/signing-keys.ts'
import { startSignedRepository } from './signed-repository-fixture.ts'

const run = promisify(execFile)

describe('SSH signatures', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const signedRepository = starting.use(await startSignedRepository())
  const { repository, scratch, verdict, rewritten } = signedRepository
  const carol = await makeSshKey(scratch, 'carol')
  const dave = await makeSshKey(scratch, 'dave')
  const keys = { allowedSigners: `carol@example.com ${carol.publicKey}\n` }
  const started = starting.move()
  after(() => started.disposeAsync())

  test('SSH signatures are accepted from permitted signers, named by principal or fingerprint', async () => {
    const sha = await signedCommit(repository, carol.signing, 'Signed with SSH')
    const tagged = await signedGit(repository, carol.signing, ['tag', '-s', 'ssh-1', '-m', 'Release'])
    assert.equal(tagged, '')
    for (const signer of ['carol@example.com', carol.fingerprint]) {
      assert.equal(await verdict(sha, { sshSigners: [signer], keys }), '', signer)
      assert.equal(await verdict(sha, { sshSigners: [signer], tag: 'ssh-1', keys }), '', signer)
    }
    assert.match(
      await verdict(sha, { sshSigners: ['dave@example.com'], keys }),
      new RegExp(
        `SSH key ${RegExp.escape(carol.fingerprint)} of carol@example\\.com, which the project does not list`,
      ),
    )
  })

  test('unknown, revoked, expired and future SSH keys are refused', async () => {
    const sshSigners = ['carol@example.com', 'dave@example.com']
    const sha = await signedCommit(
      repository,
      dave.signing,
      'Signed by Dave',
      new Date('2024-06-01T00:00:00Z'),
    )
    assert.match(
      await verdict(sha, { sshSigners }),
      /SSH key SHA256:\S+, which is unknown; .*allowed_signers/,
    )
    const known = (options: string, revokedKeys = '') =>
      verdict(sha, {
        sshSigners,
        keys: { allowedSigners: `dave@example.com ${options}${dave.publicKey}`, revokedKeys },
      })
    assert.equal(await known(''), '')
    assert.equal(await known('valid-after="20240101Z",valid-before="20250101Z" '), '')
    assert.match(await known('valid-before="20240301Z" '), /which expired on 2024-03-01; change valid-before/)
    assert.match(await known('valid-after="20240901Z" '), /which is valid after 2024-09-01 only/)
    assert.match(await known('namespaces="file" '), /which is unknown/)
    assert.match(await known('', dave.publicKey), /which is revoked/)
    assert.match(await known('', `${dave.fingerprint}\n`), /which is revoked/)
  })

  test('a changed commit has a bad SSH signature', async () => {
    const sha = await signedCommit(repository, carol.signing, 'Original words')
    const changed = await rewritten(sha, (text) => text.replace('Original words', 'Other words...'))
    assert.match(
      await verdict(changed, { sshSigners: ['carol@example.com'], keys }),
      /bad signature of SSH key/,
    )
  })

  test('an SSH signature for another purpose than git is bad', async () => {
    const sha = await repository.commitFiles({}, 'Signed as a file\n')
    const { stdout } = await run('git', ['-C', repository.directory, 'cat-file', 'commit', sha])
    const [file, key] = [path.join(scratch, 'payload'), path.join(scratch, 'carol')]
    await writeFile(file, stdout)
    await run('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'file', '-f', key, file])
    const signature = (await readFile(`${file}.sig`, 'utf8')).trimEnd().replaceAll('\n', '\n ')
    const signed = await rewritten(sha, (text) => text.replace('\n\n', `\ngpgsig ${signature}\n\n`))
    assert.match(
      await verdict(signed, { sshSigners: ['carol@example.com'], keys }),
      /bad signature of SSH key/,
    )
  })
})
