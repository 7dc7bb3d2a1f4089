import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { checkPullRequestAnnotations, pullRequestSettingOf } from './pull-request-setting.ts'

test('the Application takes precedence over its project, the project over the operator', () => {
  const operator = { policy: 'open', labels: ['all'], reviewers: ['ops'] } as const
  const project = { 'wadi.dev/pull-request-labels': 'team, , team', 'wadi.dev/pull-requests': 'merge' }
  const own = { 'wadi.dev/pull-requests': 'none', 'wadi.dev/pull-request-merge-method': 'squash' }
  const rest = { reviewers: ['ops'], method: 'merge' }
  assert.deepEqual(pullRequestSettingOf({}, {}, operator), { ...rest, ...operator })
  assert.deepEqual(pullRequestSettingOf({}, project, operator), {
    ...rest,
    policy: 'merge',
    labels: ['team'],
  })
  assert.deepEqual(pullRequestSettingOf(own, project, operator), {
    ...rest,
    policy: 'none',
    method: 'squash',
    labels: ['team'],
  })
})

test('without any setting there is no pull request', () => {
  assert.equal(pullRequestSettingOf({}, {}, {}).policy, 'none')
})

test('other values are named with their annotation', () => {
  const reader = new FieldReader('Application web')
  checkPullRequestAnnotations(
    { 'wadi.dev/pull-requests': 'yes', 'wadi.dev/pull-request-merge-method': 'ff' },
    reader,
  )
  assert.throws(
    () => reader.throwFindings(),
    /annotation wadi\.dev\/pull-requests is "yes"; give none, open or merge; annotation wadi\.dev\/pull-request-merge-method is "ff"; give merge, squash, rebase or fast-forward/,
  )
})
