import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { until } from '@wadi/testing/until.ts'
import { configMap } from '../application-fixture.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { connectForge } from '../pull-request-fixture.ts'
import { verifyInClone } from './attestation-fixture.ts'
import { signerOf, sshVerifying, verifyClone } from './signed-output-fixture.ts'

describe('commits of merged pull requests', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  const scratch = new AsyncDisposableStack()
  after(() => scratch.disposeAsync())
  const directory = await makeTestDirectory(scratch)
  const key = await makeSshKey(directory, 'key')
  const line = `wadi ${key.publicKey}`
  const keys = join(directory, 'keys')
  await writeFile(keys, `${line}\n`)
  const verifying = await sshVerifying(directory, line)
  const environment = { WADI_SIGNING_KEY_PATH: join(directory, 'key'), WADI_POLL_INTERVAL: '1s' }
  const mesh = scratch.use(await startMeshFixture({ environment }))

  /** Has Wadi merge the pull requests of two dry commits to the branch that is deployed from, with annotations of its Application. */
  const mergeTwice = async (name: string, annotations: Record<string, string>) => {
    const { fixture } = mesh
    const file = `${name}/a.yaml`
    const repository = await fixture.createRepository(`acme/${name}`, { [file]: configMap(name, '1') })
    await using forged = await connectForge(mesh, repository, 'gitea')
    const application = { name, repoURL: repository.url, branch: 'deployed', hydrateTo: 'staged' }
    await fixture.apply({
      ...application,
      annotations: { 'wadi.dev/pull-requests': 'merge', ...annotations },
    })
    await fixture.waitFor(name, ({ status }) => status.pullRequest?.state === 'merged')
    await fixture.hydrateTo(await repository.push({ [file]: configMap(name, '2') }), name)
    await until(async () => /value: "2"/.test(await repository.read('deployed', `${name}/manifest.yaml`)))
    assert.deepEqual(forged.forge.violations, [])
    return repository
  }

  test('a fast-forward keeps the signature and the attestation of every commit', async () => {
    const repository = await mergeTwice('forward', { 'wadi.dev/pull-request-merge-method': 'fast-forward' })
    assert.equal(await repository.head('deployed'), await repository.head('staged'))
    assert.equal(await signerOf(repository, 'deployed', verifying), key.fingerprint)
    await verifyClone(repository, directory, 'deployed', verifying)
    const { code, stderr } = await verifyInClone(repository, directory, ['deployed', '--key', keys])
    assert.deepEqual([code, stderr], [0, ''])
  })

  test('a merge adds a commit that the forge alone can sign, behind which the attestations stay', async () => {
    const repository = await mergeTwice('merged', {})
    assert.equal(await signerOf(repository, 'deployed', verifying), '')
    assert.equal(await signerOf(repository, 'deployed^2', verifying), key.fingerprint)
    await assert.rejects(verifyClone(repository, directory, 'deployed', verifying))
    const { code, stderr } = await verifyInClone(repository, directory, ['deployed', '--key', keys])
    assert.deepEqual([code, stderr], [0, ''])
  })
})
