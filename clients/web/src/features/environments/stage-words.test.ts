import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { EnvironmentsSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { behindText, reachText, repositoryName } from './stage-words.ts'

const found = create(EnvironmentsSchema, {
  stages: [
    { branch: 'env/dev', drySha: 'c' },
    { branch: 'env/qa', drySha: 'b', behind: 1 },
    { branch: 'env/prod', drySha: 'gone', behind: 0 },
  ],
  commits: [
    { sha: 'd' },
    { sha: 'c', stages: [0] },
    { sha: 'b', stages: [0, 1] },
    { sha: 'a', stages: [0, 1, 2] },
  ],
})

test('the way of a commit is said in words, and so is how far a stage is behind', () => {
  const { stages, commits } = found
  assert.deepEqual(
    commits.map((commit) => reachText(commit, stages)),
    ['on no stage yet', 'on 1 of 3 stages, up to env/dev', 'on 2 of 3 stages, up to env/qa', 'on all stages'],
  )
  assert.deepEqual(
    stages.map((stage) => behindText(stage, found)),
    ['up to date', '1 behind', ''],
  )
  const [, qa] = stages
  assert.ok(qa)
  assert.equal(behindText(qa, { commits, hasMore: true }), '1+ behind')
})

test('a repository is named by the end of its URL', () => {
  assert.equal(repositoryName('https://git.example.com/group/team/deploy.git'), 'team/deploy')
  assert.equal(repositoryName('git@git.example.com:team/deploy'), 'team/deploy')
})
