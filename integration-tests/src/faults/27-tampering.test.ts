import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeGpgHome, makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { configMap } from '../application-fixture.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile({ environment: { WADI_POLL_INTERVAL: '1s' } })

async function tampered(policy: string, name = `tampered-${policy}`) {
  const { fixture } = mesh
  await fixture.applyOperatorSettings({ 'sourceHydrator.foreignChanges': policy })
  const repository = await fixture.createRepository(name, { [`${name}/a.yaml`]: configMap(name, '1') })
  const branch = `environments/${name}`
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(drySha, { name, repoURL: repository.url, branch })
  const own = await repository.read(branch, `${name}/manifest.yaml`)
  const foreign = await repository.pushForeign(branch, { [`${name}/manifest.yaml`]: 'kind: Evil\n' })
  return { name, repository, branch, drySha, own, foreign }
}

test('an edit by hand raises an alarm and stays until the next hydration', async () => {
  const { name, repository, branch, own, foreign } = await tampered('report')
  const { foreignChange } = await mesh.fixture.waitFor(
    name,
    ({ status }) => status.foreignChange !== undefined,
  )
  assert.deepEqual([foreignChange?.kind, foreignChange?.commit], ['edited', foreign])
  assert.equal(await repository.head(branch), foreign)
  await mesh.fixture.hydrate(name)
  assert.equal(await repository.read(branch, `${name}/manifest.yaml`), own)
})

test(
  'the alarm names who signed the commit, by the keys that are stored and that the project allows',
  {
    skip: noSigningPrograms,
  },
  async () => {
    const { fixture } = mesh
    await using owned = new AsyncDisposableStack()
    const directory = await makeTestDirectory(owned)
    await using home = await makeGpgHome()
    const anna = await home.addKey('Anna <anna@example.com>')
    const [bob, eve] = [await makeSshKey(directory, 'bob'), await makeSshKey(directory, 'eve')]
    const stored = {
      'argocd-gpg-keys-cm': { [anna.keyId]: await home.publicKey(anna) },
      'wadi-ssh-signers-cm': { allowed_signers: `bob@example.com ${bob.publicKey}\n` },
    }
    for (const [map, data] of Object.entries(stored)) {
      const resource = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: map }, data }
      await fixture.gateway.resources.applyResource({ resource })
    }
    const { name, repository, branch, foreign } = await tampered('report', 'signed-edit')

    /** The description of an edit that a key signed; of none for an unsigned one. */
    async function described(signing: string[]): Promise<string> {
      const message = crypto.randomUUID()
      const flags = signing.length > 0 ? ['-S'] : []
      const args = ['commit-tree', ...flags, '-m', message, '-p', `${foreign}^`, `${foreign}^{tree}`]
      const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
      const commit = (await runTestGit(repository.directory, [...identity, ...signing, ...args])).trim()
      await repository.pointBranch(branch, commit)
      const { foreignChange } = await fixture.waitFor(
        name,
        ({ status }) => status.foreignChange?.commit === commit,
      )
      return foreignChange?.message ?? ''
    }
    const gpg = (await home.signing(anna)).config
    assert.match(await described([]), /by Ada <ada@example\.com>, unsigned: /)
    const byAnna = `, signed by Anna <anna@example.com>, GPG key ${anna.keyId}: `
    assert.ok((await described(gpg)).includes(byAnna))
    const byBob = `, signed by bob@example.com, SSH key ${bob.fingerprint}: `
    assert.ok((await described(bob.signing.config)).includes(byBob))
    const unknown = `, signed by a key that is not allowed: SSH key ${eve.fingerprint}: `
    assert.ok((await described(eve.signing.config)).includes(unknown))
  },
)
