import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applicationObject, objectInProject } from './application-object.ts'

for (const [namespace, project, expected] of [
  ['argocd', 'dev', 'dev/web'],
  [undefined, 'dev', 'dev/web'],
  ['', 'dev', 'dev/web'],
  ['team-a', 'dev', 'dev/team-a/web'],
  ['argocd', undefined, 'default/web'],
  ['argocd', '', 'default/web'],
  ['team-a', 7, 'default/team-a/web'],
] as const) {
  test(`an Application of project ${project} in namespace ${namespace} is called ${expected}`, () => {
    const metadata = { name: 'web', ...(namespace === undefined ? {} : { namespace }) }
    const spec = project === undefined ? {} : { project }
    assert.equal(applicationObject({ metadata, spec }), expected)
  })
}

test('an Application without a spec is one of the default project', () => {
  assert.equal(applicationObject({ metadata: { name: 'web' } }), 'default/web')
})

test('an object of a project is called by its namespace outside of that of the control plane alone', () => {
  assert.equal(objectInProject('dev', 'argocd', 'web'), 'dev/web')
  assert.equal(objectInProject('dev', undefined, 'web'), 'dev/web')
  assert.equal(objectInProject('dev', 'apps', 'web'), 'dev/apps/web')
})
