import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsWarnings } from './settings-warnings.ts'

test('keys of argocd-cm that change manifests or access elsewhere are named with what does so here', () => {
  const data = {
    'kustomize.buildOptions': '--enable-helm',
    'kustomize.path.v5.0.0': '/kustomize',
    globalProjects: '- {}',
    'helm.valuesFileSchemes': '',
    'statusbadge.enabled': 'true',
    url: 'https://argocd.example.com',
  }
  const map = { kind: 'ConfigMap', metadata: { name: 'argocd-cm' }, data }
  assert.deepEqual(settingsWarnings(map), [
    'data.kustomize.buildOptions is stored but not applied: the operator sets it for all repo-servers with WADI_KUSTOMIZE_BUILD_OPTIONS',
    'data.kustomize.path.v5.0.0 is stored but not applied: the operator sets it for all repo-servers with WADI_KUSTOMIZE',
    'data.globalProjects is stored but not applied: projects do not inherit from others; write what it restricts into each project',
  ])
  assert.deepEqual(settingsWarnings({ ...map, metadata: { name: 'other' } }), [])
})
