import assert from 'node:assert/strict'
import { test } from 'node:test'
import { application, startRunFixture } from '../run-fixture.ts'
import { ActiveRun } from './active-run.ts'

test('an Application that each dry commit of a run rejects is listed once', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('a'))
  const [member] = fixture.members()
  assert.ok(member)
  const log = new ActiveRun(undefined)
  for (const drySha of ['1', '2']) {
    const failures = [{ application: member.name, message: `no ${drySha}` }]
    const errors = { failures, mayPass: false, dependsOnBranch: false }
    log.rejected(drySha, errors, [
      { path: 'a', members: [member], layout: { files: 'one-file', crds: 'include' } },
    ])
  }
  const ended = { outcome: 'Failed', message: '', isHard: false, hydratedSha: '', sources: [] }
  assert.deepEqual(
    log.record(ended).directories.map(({ applications, error }) => [applications, error]),
    [[['argocd/a'], 'no 2']],
  )
})
