import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldVersions, keptVersions } from './held-versions.ts'
import type { GroupStatus } from './hydrated-branch.ts'
import type { ToolVersions } from './tool-versions.ts'

const tools = { helm: 'v4.1.4', kustomize: 'v5.7.1' }

/** The record of a branch whose dry sources name versions, each its own. */
function recordOf(...named: readonly (ToolVersions | undefined)[]) {
  const groups = named.map((versions): GroupStatus => {
    const success = { drySha: '', hydratedSha: '', members: '', settings: '', finishedAt: '' }
    return {
      repoURL: '',
      targetRevision: '',
      phase: 'Hydrated',
      message: '',
      failures: [],
      startedAt: '',
      success: { ...success, ...(versions && { tools: versions }) },
    }
  })
  return { tools, groups }
}

test('a version that all dry sources of a branch name is the one that it was hydrated with, and not one that it keeps by itself', () => {
  const named = recordOf({ helm: 'v4.3.1' }, { helm: 'v4.3.1', kustomize: 'v5.8.3' })
  assert.deepEqual(heldVersions(named), { helm: 'v4.3.1', kustomize: 'v5.7.1' })
  assert.deepEqual(keptVersions(named), { kustomize: 'v5.7.1' })
})

test('of a branch of which one dry source names no version, or another, the rest keeps its own', () => {
  for (const other of [undefined, { helm: 'v3.22.0' }]) {
    const record = recordOf({ helm: 'v4.3.1' }, other)
    assert.deepEqual(heldVersions(record), tools)
    assert.deepEqual(keptVersions(record), tools)
  }
})

test('the record of an older version keeps nothing', () => {
  assert.equal(heldVersions({ groups: [] }), undefined)
  assert.deepEqual(keptVersions({ groups: [] }), {})
})
