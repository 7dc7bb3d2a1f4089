import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationState } from './application-state.ts'

const values = { repoURL: 'https://git.example.com/config.git', targetRevision: 'main', ref: 'values' }
const web = { repoURL: 'https://git.example.com/web.git', targetRevision: 'v1', path: 'chart' }

const read = (sourceHydrator: object) => applicationState({ spec: { sourceHydrator: { ...sourceHydrator } } })

test('all sources are shown, and one with a ref alone has no path', () => {
  const { isHydrated, sources, targetRevision } = read({ drySources: [values, web] })
  assert.ok(isHydrated)
  assert.equal(targetRevision, 'main')
  assert.deepEqual(sources, [
    { repoUrl: values.repoURL, targetRevision: 'main', path: '', ref: 'values' },
    { repoUrl: web.repoURL, targetRevision: 'v1', path: 'chart', ref: '' },
  ])
  const { repoURL, targetRevision: revision } = web
  assert.deepEqual(read({ drySource: { repoURL, targetRevision: revision } }).sources, [
    { repoUrl: repoURL, targetRevision: 'v1', path: '.', ref: '' },
  ])
  assert.equal(read({}).isHydrated, false)
})

test('the owner and the destination are those of the object', () => {
  const metadata = { ownerReferences: [{ kind: 'ApplicationSet', name: 'teams' }] }
  const spec = { destination: { server: 'https://kubernetes.default.svc', namespace: 'web' } }
  const { applicationSet, destination } = applicationState({ metadata, spec })
  assert.deepEqual([applicationSet, destination], ['teams', 'web on https://kubernetes.default.svc'])
})
