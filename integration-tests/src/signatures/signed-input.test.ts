import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeSshKey, noSigningPrograms, signedGit } from '@wadi/testing/signing-keys.ts'
import { applicationObject, configMap } from '../application-fixture.ts'
import { isHydratedAt, isSettled } from '../gateway-fixture.ts'
import { pushSigned, startSignedMesh } from './signed-mesh-fixture.ts'

describe('signed input', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const mesh = starting.use(await startSignedMesh())
  const { fixture, home, alice, byAlice } = mesh
  const started = starting.move()
  after(() => started.disposeAsync())
  const project = 'secure'

  /** A repository with a signed commit and an Application of the project that is hydrated from it. */
  async function signedApplication(name: string) {
    const repository = await fixture.createRepository(name)
    const sha = await pushSigned(repository, byAlice, { [`${name}/a.yaml`]: configMap('a', '1') })
    const branch = `env/${name}`
    await fixture.applyAndWait(sha, { name, repoURL: repository.url, branch, project })
    return { repository, sha, branch, name }
  }

  function failedWith(pattern: RegExp) {
    return (state: Parameters<typeof isSettled>[0]) =>
      isSettled(state) && pattern.test(state.status.currentOperation?.message ?? '')
  }

  test('an unsigned commit is not hydrated, previewed, described or accepted with an Application', async () => {
    const { repository, branch, name } = await signedApplication('unsigned')
    const hydrated = await repository.head(branch)
    const sha = await repository.push({ [`${name}/a.yaml`]: configMap('a', '2') })
    const { currentOperation } = await fixture.hydrate(name)
    const reason =
      `project secure accepts signed commits only: commit ${sha} by Test <test@example.com> is not signed; ` +
      `sign it with one of the project's keys (${alice.keyId}) and push it again`
    assert.equal(currentOperation?.phase, 'Failed')
    assert.ok(currentOperation.message?.includes(reason), currentOperation.message)
    assert.equal(await repository.head(branch), hydrated)

    const { applications } = fixture.gateway
    const asked = { name, dryRevision: 'main' }
    for (const call of [applications.getManifests(asked), applications.getParameters(asked)]) {
      await assert.rejects(call, (error) => String(error).includes(reason))
    }
    const spec = { project, repoURL: repository.url, branch: 'env/other', path: name }
    await assert.rejects(
      applications.createApplication({
        application: applicationObject({ name: 'late', ...spec }),
        validate: true,
      }),
      (error) => String(error).includes(reason),
    )
    const signed = await pushSigned(repository, byAlice, { [`${name}/a.yaml`]: configMap('a', '3') })
    await fixture.hydrateTo(signed, name)
  })

  test('parameters are not committed to a branch whose commits must be signed', async () => {
    const { name } = await signedApplication('parameters')
    const assignments = [{ target: 'directory.recurse', value: 'true' }]
    await assert.rejects(
      fixture.gateway.applications.setParameters({ name, changes: { assignments } }),
      /project secure accepts signed commits only, and Wadi signs none: print the change of parameters with --print/,
    )
  })

  test('a key that is removed, and one that the project does not list any more, stop hydration at once', async () => {
    const { name, sha } = await signedApplication('withdrawn')
    const bob = await home.addKey('Bob <bob@example.com>')
    await mesh.applyKeys(bob)
    await fixture.waitFor(
      name,
      failedWith(new RegExp(`signed with GPG key ${alice.keyId}, which is unknown`)),
    )
    await mesh.applyKeys(alice, bob)
    await fixture.waitFor(name, isHydratedAt(sha))
    await mesh.applyProject({ signatureKeys: [{ keyID: bob.keyId }] })
    await fixture.waitFor(
      name,
      failedWith(new RegExp(`GPG key ${alice.keyId} of Alice .* which the project does not list`)),
    )
    await mesh.applyProject({ signatureKeys: [{ keyID: alice.keyId }] })
    await fixture.waitFor(name, isHydratedAt(sha))
  })

  test('a signed tag is hydrated although its commit is not signed, an unsigned one is not', async () => {
    const repository = await fixture.createRepository('tags')
    const sha = await repository.push({ 'app/a.yaml': configMap('a', '1') })
    await signedGit(repository.dry, byAlice, ['tag', '-s', 'v1.0.0', '-m', 'Release'])
    await repository.dry.git.push([repository.directory, 'v1.0.0'])
    const spec = { name: 'tagged', repoURL: repository.url, path: 'app', project }
    await fixture.applyAndWait(sha, { ...spec, branch: 'env/tags', revision: 'v1.0.0' })
    await repository.dry.git.raw(['tag', '-a', 'v1.1.0', '-m', 'Release'])
    await repository.dry.git.push([repository.directory, 'v1.1.0'])
    const message = await fixture.applyAndFail({
      ...spec,
      name: 'newer',
      branch: 'env/newer',
      revision: '^1.0.0',
    })
    assert.match(message, /tag v1\.1\.0 by Test <test@example\.com> is not signed/)
  })

  test('with lineage every, an unsigned commit in between gets no hydrated commit of its own', async () => {
    const name = 'lineage'
    const repository = await fixture.createRepository(name)
    const first = await pushSigned(repository, byAlice, { 'lineage/a.yaml': configMap('a', '1') })
    const annotations = { 'wadi.dev/lineage': 'every' }
    const branch = 'env/lineage'
    await fixture.applyAndWait(first, { name, repoURL: repository.url, branch, project, annotations })
    await repository.push({ 'lineage/a.yaml': configMap('a', '2') })
    const last = await pushSigned(repository, byAlice, { 'lineage/a.yaml': configMap('a', '3') })
    await fixture.hydrateTo(last, name)
    assert.equal((await repository.commits(branch)).length, 2)
  })

  test('an Application of a project without policies is held by one that shares its branch and commit', async () => {
    const repository = await fixture.createRepository('shared', {
      'shared-a/a.yaml': configMap('a', '1'),
      'shared-b/a.yaml': configMap('b', '1'),
    })
    const spec = { repoURL: repository.url, branch: 'env/shared' }
    await fixture.applyAndWait(await repository.head('main'), { ...spec, name: 'shared-a' })
    await fixture.apply({ ...spec, name: 'shared-b', project })
    for (const name of ['shared-a', 'shared-b']) {
      assert.match(await fixture.waitForFailure(name), /project secure accepts signed commits only/)
    }
  })

  test('policies choose repositories, modes and SSH signers', async () => {
    const carol = await makeSshKey(fixture.directory, 'carol')
    await fixture.gateway.resources.applyResource({
      resource: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'wadi-ssh-signers-cm' },
        data: { allowed_signers: `carol@example.com ${carol.publicKey}\n` },
      },
    })
    const repository = await fixture.createRepository('policies')
    const free = await fixture.createRepository('free', { 'free/a.yaml': configMap('a', '1') })
    const ssh = { mode: 'strict', signers: ['carol@example.com'] }
    const gpg = { mode: 'strict', keys: [alice.keyId] }
    const policies = [{ repos: [{ url: '*' }, { url: `!${free.url}` }], gpg, ssh }]
    await mesh.applyProject({ sourceIntegrity: { git: { policies } } })
    await fixture.applyAndWait(await free.head('main'), {
      name: 'free',
      repoURL: free.url,
      branch: 'env/free',
      project,
    })

    const name = 'policies'
    const first = await pushSigned(repository, carol.signing, { 'policies/a.yaml': configMap('a', '1') })
    await fixture.applyAndWait(first, { name, repoURL: repository.url, branch: 'env/policies', project })
    const unsigned = await repository.push({ 'policies/a.yaml': configMap('a', '2') })
    await pushSigned(repository, byAlice, { 'policies/a.yaml': configMap('a', '3') })
    const { currentOperation } = await fixture.hydrate(name)
    assert.match(
      currentOperation?.message ?? '',
      new RegExp(`project secure accepts signed history only: commit ${unsigned} .* is not signed`),
    )
    await signedGit(repository.dry, byAlice, [
      'commit',
      '--allow-empty',
      '--quiet',
      '-S',
      '-m',
      'Seal\n\nArgocd-gpg-seal: reviewed',
    ])
    await repository.dry.git.push([repository.directory, 'HEAD:main'])
    await fixture.hydrateTo(await repository.dry.head(), name)
  })
})
