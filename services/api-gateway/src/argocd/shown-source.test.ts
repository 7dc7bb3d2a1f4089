import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutShownSource } from './shown-source.ts'

const drySource = { repoURL: 'https://git.example.com/deploy.git', targetRevision: 'main', path: 'apps/web' }
const syncSource = { targetBranch: 'environments/prod', path: 'web' }
const applied = { repoURL: drySource.repoURL, targetRevision: 'environments/prod', path: 'web' }
const sourceHydrator = { drySource, syncSource }

test('a source that a client sends beside the hydrator is the dry source, changed or not', () => {
  assert.deepEqual(withoutShownSource({ project: 'a', source: drySource, sourceHydrator }), {
    project: 'a',
    sourceHydrator,
  })
  for (const change of [{ targetRevision: 'next' }, { path: 'apps/api' }, { helm: { releaseName: 'x' } }]) {
    const changed = { ...drySource, ...change }
    assert.deepEqual(withoutShownSource({ source: changed, sourceHydrator }), {
      sourceHydrator: { drySource: changed, syncSource },
    })
  }
})

test('the source that is applied from is left out, and may not be changed so', () => {
  assert.deepEqual(withoutShownSource({ source: applied, sourceHydrator }), { sourceHydrator })
  assert.throws(() => withoutShownSource({ source: { ...applied, path: 'other' }, sourceHydrator }), {
    name: 'InvalidInputError',
    message: /--sync-source-path/,
  })
})

test('an Application without a hydrator keeps its source', () => {
  const spec = { source: applied }
  assert.deepEqual(withoutShownSource(spec), spec)
})
