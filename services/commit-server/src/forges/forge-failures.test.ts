import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { ForgeFailures } from './forge-failures.ts'

const repository = { repoUrl: 'https://git.example.com/apps.git', project: '' }

async function fail(failures: ForgeFailures, task: 'comment' | 'status', error: Error): Promise<void> {
  await assert.rejects(
    failures.during(repository, task, async () => Promise.reject(error)),
    error,
  )
}

test('what a forge does not allow is known of the repository until it is allowed', async () => {
  const failures = new ForgeFailures()
  await fail(failures, 'comment', new FailedPreconditionError('no right to comment', { code: 'http-403' }))
  await failures.during(repository, 'status', async () => Promise.resolve())
  const other = { ...repository, repoUrl: 'https://git.example.com/apps' }
  assert.match(failures.messageFor(other), /not reviewed as they should be: no right to comment/)
  assert.equal(failures.messageFor({ ...repository, project: 'team' }), '')
  await failures.during(repository, 'comment', async () => Promise.resolve())
  assert.equal(failures.messageFor(repository), '')
})

test('what passes by itself is not said of the repository, nor that there is no forge', async () => {
  const failures = new ForgeFailures()
  await fail(failures, 'status', new UnavailableError('try again'))
  await fail(failures, 'status', new FailedPreconditionError('no forge', { code: 'no-forge' }))
  assert.equal(failures.messageFor(repository), '')
})
