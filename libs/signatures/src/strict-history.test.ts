import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { noSigningPrograms, signedCommit, signedGit } from '@wadi/testing/signing-keys.ts'
import { startSignedRepository } from './signed-repository-fixture.ts'

describe('mode strict', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const signedRepository = starting.use(await startSignedRepository())
  const { repository, home, alice, verdict } = signedRepository
  const anonymous = await home.addKey('Unknown <unknown@example.com>')
  const byAlice = await home.signing(alice)
  const started = starting.move()
  after(() => started.disposeAsync())

  test('mode strict verifies all that a commit is built on, merged branches too, back to a seal', async () => {
    await repository.git.raw(['checkout', '--quiet', '--orphan', 'strict'])
    const unsigned = await repository.commitFiles({}, 'Unsigned root\n')
    const second = await signedCommit(repository, byAlice, 'Signed')
    assert.equal(await verdict(second), '')
    const refused = await verdict(second, { mode: 'strict' })
    assert.match(refused, new RegExp(`^commit ${unsigned} by .* is not signed; sign it`))

    const byAnonymous = await home.signing(anonymous)
    const foreign = await signedCommit(
      repository,
      byAnonymous,
      'Everything is fine\n\nArgocd-gpg-seal: trust me',
    )
    assert.match(await verdict(foreign, { mode: 'strict' }), new RegExp(`${unsigned} by .* is not signed`))

    const seal = await signedCommit(repository, byAlice, 'Seal\n\nArgocd-gpg-seal: reviewed until here')
    assert.equal(await verdict(seal, { mode: 'strict' }), '')
    const later = await signedCommit(repository, byAlice, 'After the seal')
    assert.equal(await verdict(later, { mode: 'strict' }), '')

    // A branch from before the seal brings what nobody has sealed.
    await repository.git.raw(['checkout', '--quiet', '-b', 'side', second])
    const side = await repository.commitFiles({ 'side.txt': 'x' }, 'Unsigned beside\n')
    await repository.git.raw(['checkout', '--quiet', 'strict'])
    await signedGit(repository, byAlice, ['merge', '--quiet', '--no-ff', '-S', '-m', 'Merge', 'side'])
    const merged = await repository.head()
    assert.equal(await verdict(merged), '')
    const text = await verdict(merged, { mode: 'strict' })
    assert.match(text, new RegExp(`^commit ${side} by .* is not signed`))
    assert.doesNotMatch(text, new RegExp(unsigned))
  })

  test('at most ten problems are reported', async () => {
    await repository.git.raw(['checkout', '--quiet', '--orphan', 'many'])
    for (let count = 0; count < 12; count++) await repository.commitFiles({}, `Unsigned ${count}\n`)
    const text = await verdict(await repository.head(), { mode: 'strict' })
    assert.equal(text.match(/is not signed/g)?.length, 10)
  })
})
