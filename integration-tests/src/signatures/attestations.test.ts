import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { makeGpgHome, makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { configMap } from '../application-fixture.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'

const notes = 'refs/notes/hydrator.metadata'

describe('attestations', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  const scratch = new AsyncDisposableStack()
  after(() => scratch.disposeAsync())
  const directory = await makeTestDirectory(scratch)

  /** Clones a repository as a deployer does, without a server, and verifies a branch there. */
  async function verify({ directory: remote, url }: RepositoryFixture, ...args: string[]) {
    const clone = join(directory, `clone-${crypto.randomUUID()}`)
    await runTestGit(directory, ['clone', '--quiet', '--no-checkout', remote, clone])
    return runWadi(['verify', ...args, '--repo', clone, '--repo-url', url, '--fetch'])
  }

  test('a branch verifies offline with the public key, and names who changed it', async () => {
    const key = await makeSshKey(directory, 'key')
    const keys = join(directory, 'keys')
    await writeFile(keys, `wadi ${key.publicKey}\n`)
    await using mesh = await startMeshFixture({
      environment: { WADI_SIGNING_KEY_PATH: join(directory, 'key') },
    })
    const { fixture } = mesh
    const { repository, branch } = await fixture.hydratedOnce('web')
    await fixture.hydrateTo(await repository.push({ 'web/a.yaml': configMap('web', '2') }), 'web')
    const verified = await verify(repository, branch, '--key', keys)
    console.log(verified)
    assert.equal(verified.code, 0)
    console.log(await runTestGit(repository.directory, ['ls-tree', '-r', notes]))
    console.log((await verify(repository, branch, '--key', keys, '-o', 'json')).stdout)
    console.log(
      Buffer.from(
        JSON.parse(
          await runTestGit(repository.directory, [
            'show',
            `${notes}:attestations/commits/${(await repository.head(branch)).replace(/^../, '$&/')}`,
          ]),
        ).payload,
        'base64',
      ).toString(),
    )
    const foreign = await repository.pushForeign(branch, { 'web/manifest.yaml': configMap('web', 'mine') })
    console.log(await verify(repository, branch, '--key', keys), foreign)
  })

  test('OpenPGP keys', async () => {
    await using home = await makeGpgHome()
    const key = await home.addKey('Wadi <wadi@example.com>')
    await writeFile(join(directory, 'key.asc'), await home.privateKey(key), { mode: 0o600 })
    await writeFile(join(directory, 'keys.asc'), await home.publicKey(key))
    await using mesh = await startMeshFixture({
      environment: { WADI_SIGNING_KEY_PATH: join(directory, 'key.asc') },
    })
    const { repository, branch } = await mesh.fixture.hydratedOnce('gpg')
    console.log(await verify(repository, branch, '--key', join(directory, 'keys.asc')))
  })
})
