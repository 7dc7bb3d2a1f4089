import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { CommitStageSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/dry_commits_pb.ts'
import { commitOutcome } from './commit-outcome.ts'

test('a commit that waits for a run which failed has failed, and what a newer server says is not known', () => {
  const labelOf = (outcome: string, phase = '') =>
    commitOutcome(create(CommitStageSchema, { outcome, ...(phase && { run: { phase } }) })).label
  assert.equal(labelOf('Waiting'), 'Waiting')
  assert.equal(labelOf('Waiting', 'Failed'), 'Failed')
  assert.equal(labelOf('Changed', 'Failed'), 'Changed')
  assert.equal(labelOf('Reverted'), 'Not known')
})
