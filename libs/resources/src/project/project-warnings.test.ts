import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectWarnings } from './project-warnings.ts'

test('a project of fields that are applied has no warnings', () => {
  const spec = {
    sourceRepos: ['*'],
    destinations: [],
    description: 'x',
    roles: [],
    sourceNamespaces: [],
    permitOnlyProjectScopedClusters: false,
    signatureKeys: [{ keyID: 'D56C4FCA57A46444' }],
  }
  assert.deepEqual(projectWarnings({ spec }), [])
})

test('empty fields and whitelists of everything ask for nothing', () => {
  const spec = {
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    namespaceResourceBlacklist: [],
    syncWindows: null,
  }
  assert.deepEqual(projectWarnings({ spec }), [])
})

for (const [field, value] of [
  ['clusterResourceWhitelist', [{ group: '', kind: 'Namespace' }]],
  ['clusterResourceBlacklist', [{ group: '*', kind: '*' }]],
  ['namespaceResourceWhitelist', [{ group: 'apps', kind: 'Deployment' }]],
  ['namespaceResourceBlacklist', [{ group: '', kind: 'Secret' }]],
  ['orphanedResources', { warn: true }],
  ['syncWindows', [{ kind: 'deny' }]],
  ['destinationServiceAccounts', [{ server: '*' }]],
] as const) {
  test(`spec.${field} is named`, () => {
    const [warning, ...others] = projectWarnings({ spec: { [field]: value } })
    assert.match(warning ?? '', new RegExp(`^spec\\.${field} is stored but not applied: Wadi `))
    assert.deepEqual(others, [])
  })
}

test('a field that AppProject does not have is named, with the one that was meant', () => {
  assert.deepEqual(projectWarnings({ spec: { sourceRepo: ['*'], teamOwner: 'x' } }), [
    'spec.sourceRepo is stored but not applied: did you mean spec.sourceRepos?',
    'spec.teamOwner is stored but not applied: AppProject has no such field',
  ])
})

test('signature keys beside policies are named', () => {
  const spec = { signatureKeys: [{ keyID: 'D56C4FCA57A46444' }], sourceIntegrity: { git: { policies: [] } } }
  assert.match(projectWarnings({ spec })[0] ?? '', /^spec\.signatureKeys is stored but not applied: .*remove/)
})
