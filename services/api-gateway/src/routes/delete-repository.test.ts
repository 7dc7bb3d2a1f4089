import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { DeleteRepositoryRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { repositoryRoutes } from './repositories.ts'

const repoUrl = 'https://git.example.com/platform.git'
const view = { repoUrl, project: 'shop' }

for (const [write, service] of [
  [false, 'RepoServerService'],
  [true, 'CommitServerService'],
] as const) {
  test(`a repository is forgotten by ${service} alone, and the hydrator hears of it`, async () => {
    const owner = { listRepositories: () => ({ repositories: [view] }), deleteRepository: () => ({}) }
    await using fixture = await openGatewayFixture({
      ...(write ? { commitServer: owner } : { repoServer: owner }),
      hydrator: { pollNow: () => ({}) },
    })
    const request = create(DeleteRepositoryRequestSchema, { repoUrl, write, project: 'shop' })
    await repositoryRoutes(fixture.context).deleteRepository(request, callContext())
    assert.deepEqual(fixture.calls, [
      `${service}/ListRepositories`,
      `${service}/DeleteRepository`,
      'HydratorService/PollNow',
    ])
    assert.deepEqual(fixture.requests, [
      { refresh: false },
      { repoUrl, project: 'shop', version: '', isPrefix: false },
      {},
    ])
  })
}
