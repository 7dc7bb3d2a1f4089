import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from './resource.ts'
import { shownObject } from './shown-object.ts'

const plain: Resource = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', annotations: { note: 'x' } },
  spec: {
    destination: { server: 'https://kubernetes.default.svc' },
    sourceHydrator: { drySource: { repoURL: 'https://org@dev.azure.com/x' }, syncSource: { path: 'a' } },
  },
}

test('an object without secrets is shown as it is', () => {
  assert.equal(shownObject(plain), plain)
})

test('passwords and tokens in addresses are not shown, wherever they stand', () => {
  const url = 'https://user:hunter2@git.example.com/x.git'
  const shown = shownObject({
    ...plain,
    metadata: {
      name: 'web',
      annotations: {
        note: 'x',
        'kubectl.kubernetes.io/last-applied-configuration': `{"spec":{"repoURL":"${url}"}}`,
      },
    },
    spec: {
      sources: [{ repoURL: url }, { repoURL: 'https://git.example.com/y.git' }],
      sourceHydrator: { drySource: { repoURL: url } },
      sourceRepos: [url, '*'],
      destination: { server: 'https://u:hunter2@cluster' },
      generators: [{ git: { repoURL: url } }],
    },
    status: { sourceHydrator: { currentOperation: { sourceHydrator: { drySource: { repoURL: url } } } } },
  })
  assert.doesNotMatch(JSON.stringify(shown), /hunter2/)
  assert.deepEqual(shown.spec?.['sourceRepos'], ['https://git.example.com/x.git', '*'])
  assert.deepEqual(shown.metadata.annotations, {
    note: 'x',
    'kubectl.kubernetes.io/last-applied-configuration':
      '{"spec":{"repoURL":"https://git.example.com/x.git"}}',
  })
})
