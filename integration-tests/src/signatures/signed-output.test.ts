import assert from 'node:assert/strict'
import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeGpgHome, makeSshKey, noSigningPrograms, startSshAgent } from '@wadi/testing/signing-keys.ts'
import { configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { gpgVerifying, signerOf, sshVerifying, verifyClone } from './signed-output-fixture.ts'

describe('signed output', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  const scratch = new AsyncDisposableStack()
  after(() => scratch.disposeAsync())
  const directory = await makeTestDirectory(scratch)

  test('commits of branches and notes verify with the key of a file that has a passphrase', async () => {
    await using home = await makeGpgHome()
    const passphrase = 'open, sesame'
    const key = await home.addKey('Wadi <wadi@example.com>', { passphrase })
    const [keyPath, passphraseFile] = [join(directory, 'key.asc'), join(directory, 'passphrase')]
    await writeFile(keyPath, await home.privateKey(key, passphrase), { mode: 0o600 })
    await writeFile(passphraseFile, `${passphrase}\n`, { mode: 0o600 })
    await using mesh = await startMeshFixture({
      environment: { WADI_SIGNING_KEY_PATH: keyPath, WADI_SIGNING_KEY_PASSPHRASE_FILE: passphraseFile },
    })
    const { repository, branch } = await mesh.fixture.hydratedOnce('filed')
    const verifying = await gpgVerifying(directory, await home.publicKey(key))
    assert.equal(await verifyClone(repository, directory, branch, verifying), 2)
    await mesh.fixture.hydrateTo(await repository.push({ 'filed/a.yaml': configMap('filed', '2') }), 'filed')
    // The note alone moves with a commit that changes no manifest.
    await mesh.fixture.hydrateTo(await repository.push({ 'README.md': 'Other words' }), 'filed')
    assert.equal(await verifyClone(repository, directory, branch, verifying), 5)
    const others = await gpgVerifying(
      directory,
      await home.publicKey(await home.addKey('Other <o@example.com>')),
    )
    await assert.rejects(verifyClone(repository, directory, branch, others), /No public key/)

    // The signature of a second try would differ: that the first has landed is known by its note.
    await repository.setHook('post-receive', '#!/bin/sh\nrm "$0"\nkill -9 $PPID\n')
    const lost = await repository.push({ 'filed/a.yaml': configMap('filed', '3') })
    await mesh.fixture.hydrateTo(lost, 'filed')
    assert.equal((await repository.commits(branch)).length, 3)
    assert.equal(await verifyClone(repository, directory, branch, verifying), 7)
  })

  test('without its ssh-agent nothing is pushed, and with the agent it goes on', async () => {
    const key = await makeSshKey(directory, 'agent-key')
    const file = join(directory, 'agent-key')
    const socket = join(directory, 'ssh-agent')
    const agent = await startSshAgent(socket, file)
    await using mesh = await startMeshFixture({
      environment: { WADI_SIGNING_KEY_PATH: `${file}.pub`, WADI_SIGNING_AGENT_SOCKET: socket },
    })
    const { fixture } = mesh
    const { repository, branch } = await fixture.hydratedOnce('agent')
    const verifying = await sshVerifying(directory, `wadi ${key.publicKey}`)
    assert.equal(await verifyClone(repository, directory, branch, verifying), 2)

    await agent[Symbol.asyncDispose]()
    const head = await repository.head(branch)
    const next = await repository.push({ 'agent/a.yaml': configMap('agent', '2') })
    await fixture.gateway.applications.hydrateApplication({ name: 'agent' })
    const { currentOperation } = await fixture.waitFor('agent', ({ status }) =>
      /cannot be signed/.test(status.currentOperation?.message ?? ''),
    )
    const message = currentOperation?.message ?? ''
    assert.ok(message.includes(`see that the agent at ${socket} runs and has the key`), message)
    assert.equal(await repository.head(branch), head)

    await using _ = await startSshAgent(socket, file)
    await fixture.hydrateTo(next, 'agent')
    assert.equal(await verifyClone(repository, directory, branch, verifying), 4)
    assert.equal((await repository.commits(branch)).length, 2)
  })

  test('projects of one repository have keys of their own, which are rotated and fail each by itself', async () => {
    const [web, next, api] = await Promise.all(
      ['web', 'next', 'api'].map((name) => makeSshKey(directory, name)),
    )
    assert.ok(web && next && api)
    const keyPath = join(directory, 'web-key')
    await copyFile(join(directory, 'web'), keyPath)
    await using mesh = await startMeshFixture({
      environment: {
        WADI_SIGNING_KEYS: `[{ key: ${keyPath}, projects: [web] }, { key: ${join(directory, 'web')}.pub }]`,
        WADI_SIGNING_KEY_PATH: join(directory, 'api'),
      },
    })
    const { fixture } = mesh
    await fixture.applyProject('web')
    const files = (value: string) => ({
      'web/a.yaml': configMap('web', value),
      'api/a.yaml': configMap('api', value),
    })
    const repository = await fixture.createRepository('shared', files('1'))
    const applications = [
      { name: 'web', repoURL: repository.url, branch: 'env/web', project: 'web' },
      { name: 'api', repoURL: repository.url, branch: 'env/api' },
    ]
    await fixture.applyAndWait(await repository.dry.head(), ...applications)
    const all = await sshVerifying(directory, ...[web, next, api].map(({ publicKey }) => `wadi ${publicKey}`))
    const signer = (branch: string) => signerOf(repository, branch, all)
    assert.deepEqual([await signer('env/web'), await signer('env/api')], [web.fingerprint, api.fingerprint])

    await rm(keyPath)
    const second = await repository.push(files('2'))
    await fixture.poll()
    await fixture.waitFor('api', isHydratedAt(second))
    await fixture.waitFor('web', ({ status }) =>
      /the signing key cannot be read: ENOENT/.test(status.currentOperation?.message ?? ''),
    )
    await copyFile(join(directory, 'next'), keyPath)
    await fixture.hydrateTo(second, 'web')
    assert.deepEqual([await signer('env/web'), await signer('env/api')], [next.fingerprint, api.fingerprint])
    assert.equal(await verifyClone(repository, directory, 'env/web', all), 2 + 4)
    const withoutOld = await sshVerifying(
      directory,
      ...[next, api].map(({ publicKey }) => `wadi ${publicKey}`),
    )
    await assert.rejects(verifyClone(repository, directory, 'env/web', withoutOld), /No principal matched/)
  })

  test('commit-server does not start with a key that does not work, and says what to do', async () => {
    const start = async (environment: Record<string, string>): Promise<string> => {
      try {
        await using _ = await startMeshFixture({ environment })
        return 'it started'
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    }
    const missing = join(directory, 'missing.asc')
    assert.equal(
      await start({ WADI_SIGNING_KEY_PATH: missing }),
      `WADI_SIGNING_KEY_PATH: the signing key cannot be read: ENOENT: no such file or directory, stat '${missing}'; ` +
        'mount it there, readable for the user that commit-server runs as',
    )
    assert.equal(
      await start({ WADI_SIGNING_AGENT_SOCKET: '/run/agent' }),
      'WADI_SIGNING_AGENT_SOCKET is set without WADI_SIGNING_KEY_PATH; name the key there, or unset it',
    )
    assert.match(
      await start({ WADI_SIGNING_KEYS: '- keys: /a' }),
      /WADI_SIGNING_KEYS\[0\]\.keys; did you mean key\?/,
    )
    assert.match(await start({ WADI_SIGNING_KEYS: '[]' }), /the list of WADI_SIGNING_KEYS is empty/)
  })
})
