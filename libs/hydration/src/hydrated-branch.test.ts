import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHydratedBranch } from './hydrated-branch.ts'

const record = {
  apiVersion: 'wadi.dev/v1alpha1',
  kind: 'HydratedBranch',
  metadata: { name: 'branch-1', namespace: 'argocd' },
  spec: { repoURL: 'https://git.example.com/deploy.git', branch: 'environments/prod' },
}

test('a record before its first run has no groups', () => {
  assert.deepEqual(readHydratedBranch(record), {
    repoUrl: 'https://git.example.com/deploy.git',
    branch: 'environments/prod',
    project: '',
    status: { groups: [], applications: 0, rendered: 0, milliseconds: 0 },
  })
})

test('a record after a run has what the run did', () => {
  const status = { groups: [], applications: 3, rendered: 1, milliseconds: 40 }
  assert.deepEqual(readHydratedBranch({ ...record, status }).status, status)
})

test('a record names the project whose credentials reach its branch', () => {
  const { spec } = record
  assert.equal(readHydratedBranch({ ...record, spec: { ...spec, project: 'shop' } }).project, 'shop')
})

for (const status of [{ groups: null }, { groups: ['x', {}, { repoURL: 'x' }] }, {}, { a: 1 }]) {
  test(`a status that others wrote, ${JSON.stringify(status)}, is read as nothing hydrated`, () => {
    const { groups, applications } = readHydratedBranch({ ...record, status }).status
    assert.deepEqual([groups, applications], [[], 0])
  })
}
