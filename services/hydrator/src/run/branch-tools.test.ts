import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchTools, requestedTools } from './branch-tools.ts'

test('a branch keeps its version while it is installed or may be downloaded, and gets the own one otherwise', () => {
  const own = [
    { name: 'helm', version: 'v4.1.4' },
    { name: 'kustomize', version: 'v5.7.1' },
  ]
  const held = { helm: 'v4.2.4', kustomize: 'v5.7.1' }
  assert.deepEqual(branchTools(own, held), { helm: 'v4.1.4', kustomize: 'v5.7.1' })
  assert.deepEqual(branchTools([...own, { name: 'helm', version: 'v4.2.4' }], held), held)
  assert.deepEqual(branchTools([], held), held)
})

test('the hydration of a branch alone may have versions downloaded, and not where commands may not run', () => {
  const run = { defaultTools: { helm: 'v4.1.4' }, mayDownload: true }
  const kept = { helm: '4.1.4', kustomize: '' }
  assert.deepEqual(requestedTools(run, false), { defaultTools: { ...kept, mayDownload: true } })
  assert.deepEqual(requestedTools(run, true), { defaultTools: kept })
  assert.deepEqual(requestedTools({ defaultTools: run.defaultTools }, false), { defaultTools: kept })
  assert.deepEqual(requestedTools({ defaultTools: {} }, false), {})
  assert.deepEqual(requestedTools({ defaultTools: {}, mayDownload: true }, false), {
    defaultTools: { mayDownload: true },
  })
})
