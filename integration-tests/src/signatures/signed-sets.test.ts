import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { configMap } from '../application-fixture.ts'
import { setObject } from '../application-sets/set-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'
import { pushSigned, startSignedMesh } from './signed-mesh-fixture.ts'

describe('git generators', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  await using starting = new AsyncDisposableStack()
  const mesh = starting.use(await startSignedMesh())
  const { fixture, byAlice } = mesh
  const started = starting.move()
  after(() => started.disposeAsync())
  const { applicationSets } = fixture.gateway

  test('read signed commits alone when the template names a project that asks for them', async () => {
    const unsigned = await fixture.createRepository('unsigned-set', { 'web/a.yaml': configMap('a', '1') })
    const signed = await fixture.createRepository('signed-set', { 'web/a.yaml': configMap('a', '1') })
    await pushSigned(signed, byAlice, { 'api/b.json': '{}' })
    const generate = async (
      { url: repoURL }: RepositoryFixture,
      project: string,
      generator: 'directories' | 'files',
    ) => {
      const git = {
        repoURL,
        revision: 'main',
        [generator]: [{ path: generator === 'files' ? '*/*.json' : '*' }],
      }
      const set = setObject({ generators: [{ git }], application: '{{path.basename}}', project })
      const { applications } = await applicationSets.generateApplications({ applicationSet: set })
      return applications.length
    }
    for (const generator of ['directories', 'files'] as const) {
      await assert.rejects(
        generate(unsigned, 'secure', generator),
        /project secure accepts signed commits only: commit [0-9a-f]{40} by .* is not signed/,
      )
      assert.equal(await generate(unsigned, 'default', generator), generator === 'files' ? 0 : 1)
    }
    assert.equal(await generate(signed, 'secure', 'directories'), 2)
    assert.equal(await generate(signed, 'secure', 'files'), 1)
  })

  test('are asked again when keys change', async () => {
    const repository = await fixture.createRepository('withdrawn-set')
    await pushSigned(repository, byAlice, { 'web/a.yaml': configMap('a', '1') })
    const git = { repoURL: repository.url, revision: 'main', directories: [{ path: '*' }] }
    const name = 'withdrawn-set'
    const applicationSet = setObject({
      name,
      generators: [{ git }],
      application: 'w-{{path.basename}}',
      project: 'secure',
    })
    await applicationSets.applyApplicationSet({ applicationSet })
    await mesh.applyKeys()
    await assert.rejects(
      applicationSets.refreshApplicationSet({ name }),
      /signed with GPG key [0-9A-F]{16}, which is unknown/,
    )
    // What the set made before stays.
    assert.ok((await fixture.gateway.applications.getApplication({ name: 'w-web' })).application)
  })
})
