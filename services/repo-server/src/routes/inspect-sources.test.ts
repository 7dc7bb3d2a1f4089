import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../sources/source-renderer-fixture.ts'
import { serveRepository } from './served-repository-fixture.ts'

for (const [setting, isKnown] of [
  ['on', true],
  ['off', false],
] as const) {
  test(`with reuse ${setting}, a list of sources is ${isKnown ? 'known' : 'not known'} by its name`, async () => {
    await using served = await serveRepository('hydrator', { WADI_REUSE: setting })
    const { client, repoUrl } = served
    const sha = await served.commit({ 'app/a.yaml': configMap('a') })
    const list = {
      repoUrl,
      sha,
      project: 'default',
      verification: { policies: [] },
      sourcesDigest: 'of this one',
    }
    const whole = await client.inspectSources({ ...list, sources: [{ path: 'app', applicationName: 'a' }] })
    assert.deepEqual([whole.inspections.length, whole.position !== ''], [1, isKnown])
    const named = await client.inspectSources({ ...list, since: whole.position })
    assert.equal(named.changes !== undefined, isKnown)
  })
}

test('an inspection says what renders a source and with which versions', async () => {
  await using served = await serveRepository('hydrator')
  const { client, repoUrl } = served
  const sha = await served.commit({
    'plain/a.yaml': configMap('a'),
    'built/kustomization.yaml': 'resources: [a.yaml]\n',
    'built/a.yaml': configMap('a'),
  })
  const { inspections } = await client.inspectSources({
    repoUrl,
    sha,
    project: 'default',
    verification: { policies: [] },
    sources: ['plain', 'built', 'missing'].map((path) => ({ path, applicationName: path })),
  })
  const [plain, built, missing] = inspections
  assert.deepEqual([plain?.renderers, plain?.tools], [['directory'], []])
  assert.deepEqual([built?.renderers, built?.tools.length], [['kustomize'], 1])
  assert.match(built?.tools[0] ?? '', /^kustomize v\d+\.\d+\.\d+$/)
  assert.deepEqual([missing?.renderers, missing?.tools], [[], []])
})
