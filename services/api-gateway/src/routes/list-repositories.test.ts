import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ListRepositoriesRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { repositoryRoutes } from './repositories.ts'

const repoUrl = 'https://git.example.com/platform.git'
const view = { repoUrl, project: 'shop' }

test('reading and writing repositories are listed each by their own service, which reaches no remote before it is permitted', async () => {
  await using fixture = await openGatewayFixture({
    repoServer: { listRepositories: () => ({ repositories: [view] }) },
    commitServer: { listRepositories: () => ({ repositories: [view, view] }) },
  })
  const list = async (write: boolean) => {
    const request = create(ListRepositoriesRequestSchema, { write, refresh: true })
    return (await repositoryRoutes(fixture.context).listRepositories(request, callContext())).repositories
      .length
  }
  assert.deepEqual([await list(false), await list(true)], [1, 2])
  const [reading, writing] = ['RepoServerService/ListRepositories', 'CommitServerService/ListRepositories']
  assert.deepEqual(fixture.calls, [reading, reading, writing, writing])
  const [quick, refreshed] = [{ refresh: false }, { refresh: true }]
  assert.deepEqual(fixture.requests, [quick, refreshed, quick, refreshed])
})
