import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationState } from './application-state.ts'

test('of several sources the first is followed, and one with a ref alone is not what is rendered', () => {
  const values = { repoURL: 'https://git.example.com/config.git', targetRevision: 'main', ref: 'values' }
  const web = { repoURL: 'https://git.example.com/web.git', targetRevision: 'v1', path: 'chart' }
  const read = (sourceHydrator: object) => {
    const state = applicationState({ spec: { sourceHydrator: { ...sourceHydrator } } })
    return [state.isHydrated, state.repoUrl, state.targetRevision, state.path]
  }
  assert.deepEqual(read({ drySources: [values, web] }), [true, values.repoURL, 'main', 'chart'])
  assert.deepEqual(read({ drySource: web }), [true, web.repoURL, 'v1', 'chart'])
  assert.deepEqual(read({}), [false, '', '', ''])
})
