import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { CommitManifestsRequestSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { RenderSourcesRequestSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { ListRepositoriesRequestSchema } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { repositoryRoute } from './repository-route.ts'

const repoUrl = 'https://git.example.com/team/app'

test('requests about one repository have one key, however they spell it and whatever they are', () => {
  const spelled = 'https://Git.Example.com/team/app.git'
  const stream = { message: { case: 'commit' as const, value: { repoUrl: spelled } } }
  const keys = [
    repositoryRoute({ repoUrl }),
    repositoryRoute(create(RenderSourcesRequestSchema, { repoUrl: spelled })),
    repositoryRoute(create(CommitManifestsRequestSchema, stream)),
  ]
  assert.equal(new Set(keys).size, 1)
  assert.notEqual(keys[0], undefined)
})

test('a request that names no repository has no key', () => {
  assert.equal(repositoryRoute(create(ListRepositoriesRequestSchema)), undefined)
  assert.equal(repositoryRoute(create(RenderSourcesRequestSchema)), undefined)
  assert.equal(repositoryRoute(undefined), undefined)
})
