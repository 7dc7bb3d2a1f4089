import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  CreateRepositoryRequestSchema,
  DeleteRepositoryRequestSchema,
  ListRepositoriesRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { RepositorySchema } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import type { GatewayContext } from '../context.ts'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { repositoryRoutes } from './repositories.ts'

const url = 'https://git.example.com/platform.git'
const open = 'https://git.example.com/open.git'
const stored: MessageInitShape<typeof RepositorySchema>[] = [
  { repoUrl: open },
  { repoUrl: url, project: 'dev' },
  { repoUrl: 'https://git.example.com/', isPrefix: true },
]
const peers = {
  repoServer: {
    listRepositories: () => ({ repositories: stored }),
    putRepository: () => ({}),
    deleteRepository: () => ({}),
  },
  commitServer: {
    listRepositories: () => ({ repositories: stored }),
    putRepository: () => ({}),
    deleteRepository: () => ({}),
  },
  hydrator: { pollNow: () => ({}) },
}

function put(
  { context }: { context: GatewayContext },
  user: string,
  request: MessageInitShape<typeof CreateRepositoryRequestSchema>,
) {
  return repositoryRoutes(context).createRepository(
    create(CreateRepositoryRequestSchema, request),
    callBy(user),
  )
}

/** The calls to peers that were more than looking at what is stored. */
function acts({ calls }: { calls: string[] }): string[] {
  return calls.filter((call) => !call.endsWith('/ListRepositories'))
}

for (const [write, resource, other, service] of [
  [false, 'repositories', 'write-repositories', 'RepoServerService'],
  [true, 'write-repositories', 'repositories', 'CommitServerService'],
] as const) {
  test(`${resource}: a list has what the caller may see, and nothing is reached for who may see nothing`, async () => {
    await using fixture = await openGatewayFixture(peers)
    const { context } = fixture
    await storePolicy(
      context,
      `p, ada, ${resource}, get, dev/*, allow`,
      `p, bob, ${resource}, get, ${open}, allow`,
      `p, eve, ${other}, get, *, allow`,
    )
    const list = async (user: string) => {
      const request = create(ListRepositoriesRequestSchema, { write, refresh: true })
      const { repositories } = await repositoryRoutes(context).listRepositories(request, callBy(user))
      return repositories.map(({ repoUrl }) => repoUrl)
    }
    assert.deepEqual(await list('ada'), [url])
    assert.deepEqual(await list('bob'), [open])
    fixture.requests.length = 0
    assert.deepEqual(await list('eve'), [])
    assert.deepEqual(fixture.requests, [{ refresh: false }])
  })

  test(`${resource}: create needs the right to create, and nothing is reached without it`, async () => {
    await using fixture = await openGatewayFixture(peers)
    await storePolicy(
      fixture.context,
      `p, ada, ${resource}, create, dev/https://git.example.com/*, allow`,
      `p, eve, ${other}, create, *, allow`,
    )
    const repoUrl = 'https://git.example.com/new.git'
    for (const [user, project, object] of [
      ['ada', '', repoUrl],
      ['ada', 'prod', `prod/${repoUrl}`],
      ['eve', 'dev', `dev/${repoUrl}`],
    ] as const) {
      await assert.rejects(put(fixture, user, { repoUrl, project, write }), {
        name: 'PermissionDeniedError',
        message: `permission denied: ${resource}, create, ${object}, sub: ${user}`,
      })
    }
    assert.deepEqual(acts(fixture), [])
    await put(fixture, 'ada', { repoUrl, project: 'dev', write })
    assert.deepEqual(acts(fixture), [`${service}/PutRepository`, 'HydratorService/PollNow'])
  })

  test(`${resource}: to replace one needs the right to update it, and a hidden one is refused as a new one is`, async () => {
    await using fixture = await openGatewayFixture(peers)
    await storePolicy(
      fixture.context,
      `p, ada, ${resource}, get, dev/*, allow`,
      `p, ada, ${resource}, update, dev/*, allow`,
      `p, viewer, ${resource}, get, dev/*, allow`,
      `p, viewer, ${resource}, create, dev/*, allow`,
      `p, blind, ${resource}, create, dev/*, allow`,
      `p, blind, ${resource}, update, dev/*, allow`,
    )
    const request = { repoUrl: url, project: 'dev', write, upsert: true }
    await assert.rejects(put(fixture, 'viewer', request), {
      message: `permission denied: ${resource}, update, dev/${url}, sub: viewer`,
    })
    await assert.rejects(put(fixture, 'blind', request), {
      message: `permission denied: ${resource}, create, dev/${url}, sub: blind`,
    })
    // The same repository, but policies would call it by another name from then on.
    const respelled = 'https://git.example.com/Platform'
    await assert.rejects(put(fixture, 'ada', { ...request, repoUrl: respelled }), {
      message: `permission denied: ${resource}, create, dev/${respelled}, sub: ada`,
    })
    assert.deepEqual(acts(fixture), [])
    await put(fixture, 'ada', request)
    assert.equal(fixture.requests.at(-2)?.['upsert'], true)
  })

  test(`${resource}: to forget one needs the right to delete it, and a hidden one is not stored`, async () => {
    await using fixture = await openGatewayFixture(peers)
    await storePolicy(
      fixture.context,
      `p, ada, ${resource}, get, dev/*, allow`,
      `p, ada, ${resource}, delete, dev/*, allow`,
      `p, viewer, ${resource}, get, *, allow`,
      `p, blind, ${resource}, delete, *, allow`,
    )
    const forget = (user: string, repoUrl: string) =>
      repositoryRoutes(fixture.context).deleteRepository(
        create(DeleteRepositoryRequestSchema, { repoUrl, project: 'dev', write }),
        callBy(user),
      )
    for (const [user, repoUrl] of [
      ['blind', url],
      ['viewer', 'https://git.example.com/missing'],
    ] as const) {
      const message = `repository ${repoUrl} is not stored`
      await assert.rejects(forget(user, repoUrl), { name: 'NotFoundError', message })
    }
    await assert.rejects(forget('viewer', url), {
      name: 'PermissionDeniedError',
      message: `permission denied: ${resource}, delete, dev/${url}, sub: viewer`,
    })
    assert.deepEqual(acts(fixture), [])
    await forget('ada', url)
    assert.deepEqual(acts(fixture), [`${service}/DeleteRepository`, 'HydratorService/PollNow'])
  })
}

test('a password in a URL is refused before anything repeats it', async () => {
  await using fixture = await openGatewayFixture(peers)
  const rejected = put(fixture, 'nobody', { repoUrl: 'https://u:hunter2@git.example.com/r.git' })
  await assert.rejects(rejected, (error: Error) => !error.message.includes('hunter2'))
  assert.deepEqual(fixture.calls, [])
})
