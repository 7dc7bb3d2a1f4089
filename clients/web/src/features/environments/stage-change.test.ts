import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  StageSchema,
  TravellingCommitSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { broughtCommits, changedText, isAsSeen, isStageChange } from './stage-change.ts'

const stage = (parts: Parameters<typeof create<typeof StageSchema>>[1]) =>
  create(StageSchema, { repoUrl: 'https://git.example.com/deploy', targetRevision: 'main', ...parts })

test('a stage gets the commits of its own staging branch and revision that it lacks', () => {
  const prod = stage({ branch: 'prod', promotedFrom: 'prod-next' })
  const other = stage({ branch: 'prod-next', targetRevision: 'v1' })
  const stages = [stage({ branch: 'dev' }), other, stage({ branch: 'prod-next' }), prod]
  const commits = [[0], [0, 2], [0, 1, 2], [0, 1, 2, 3]].map((having, index) =>
    create(TravellingCommitSchema, { sha: String(index), stages: having }),
  )
  assert.deepEqual(
    broughtCommits(prod, { stages, commits }).map(({ sha }) => sha),
    ['1', '2'],
  )
})

test('after a change the pull request is as the answer says, not as was asked for', () => {
  const seen = stage({ branch: 'prod', promotedFrom: 'prod-next', changes: ['open'] })
  assert.equal(changedText(seen, { number: '7', state: 'merged' }), 'Pull request 7 from prod-next is merged')
})

test('a change is as it was seen while both heads and the pull request are the same, and it is still offered', () => {
  const seen = stage({ stagedSha: 'a', hydratedSha: 'b', pullRequest: '7', changes: ['merge', 'close'] })
  assert.equal(isAsSeen(seen, { ...seen, reason: 'waiting' }, 'merge'), true)
  for (const parts of [
    { stagedSha: 'c' },
    { hydratedSha: 'c' },
    { pullRequest: '8' },
    { changes: ['close'] },
  ]) {
    assert.equal(isAsSeen(seen, { ...seen, ...parts }, 'merge'), false)
  }
  assert.deepEqual(['merge', 'approve', 'toString'].map(isStageChange), [true, false, false])
})
