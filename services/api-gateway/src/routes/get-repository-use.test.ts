import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  DeleteRepositoryRequestSchema,
  GetRepositoryUseRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { repositoryRoutes } from './repositories.ts'

const host = 'https://git.example.com'
const stored = [
  { repoUrl: `${host}/a.git`, project: '', credentials: 'password', isPrefix: false },
  { repoUrl: `${host}/b.git`, project: '', credentials: 'none', isPrefix: false },
  { repoUrl: host, project: '', credentials: 'password', isPrefix: true },
  { repoUrl: host, project: 'dev', credentials: 'token', isPrefix: true },
]

/** Opens a gateway whose read credentials are those above, with an Application of each repository. */
async function openUse(listRepositories = () => ({ repositories: stored })) {
  const fixture = await openGatewayFixture({
    repoServer: { listRepositories, deleteRepository: () => ({}) },
    commitServer: { listRepositories: () => ({ repositories: stored }) },
    hydrator: { pollNow: () => ({}) },
  })
  for (const [name, project] of [
    ['a', 'default'],
    ['b', 'default'],
    ['c', 'default'],
    ['d', 'dev'],
  ] as const) {
    const drySource = { repoURL: `${host}/${name}.git`, targetRevision: 'main', path: name }
    const syncSource = { repoURL: `${host}/c.git`, targetBranch: 'environments/prod', path: name }
    await fixture.context.store.create(
      sampleApplication(name, { project, sourceHydrator: { drySource, syncSource } }),
    )
  }
  return fixture
}

test('credentials serve the Applications for which they are selected, also what one without them borrows', async () => {
  await using fixture = await openUse()
  const use = async (repoUrl: string, project = '', write = false) =>
    (
      await repositoryRoutes(fixture.context).getRepositoryUse(
        create(GetRepositoryUseRequestSchema, { repoUrl, project, write }),
        callContext(),
      )
    ).applications
  assert.deepEqual(await use(`${host}/a.git`), ['default/a'])
  assert.deepEqual(await use(host), ['default/b', 'default/c'])
  assert.deepEqual(await use(host, 'dev'), ['dev/d'])
  assert.deepEqual(await use(host, '', true), ['default/a', 'default/b', 'default/c'])
})

test('credentials that are gone when they are looked for again serve no Application', async () => {
  const lists = [stored, stored.slice(1)]
  await using fixture = await openUse(() => ({ repositories: lists.shift() ?? [] }))
  const request = create(GetRepositoryUseRequestSchema, { repoUrl: `${host}/a.git` })
  const use = await repositoryRoutes(fixture.context).getRepositoryUse(request, callContext())
  assert.deepEqual([use.applications, use.hidden], [[], 0])
})

test('credentials of a prefix are told apart from those of a repository of the same URL', async () => {
  await using fixture = await openUse()
  const { context } = fixture
  stored.push({ repoUrl: host, project: '', credentials: 'password', isPrefix: false })
  try {
    const request = { repoUrl: host, isPrefix: true }
    const use = await repositoryRoutes(context).getRepositoryUse(
      create(GetRepositoryUseRequestSchema, request),
      callContext(),
    )
    assert.deepEqual(use.applications, ['default/b', 'default/c'])
    await repositoryRoutes(context).deleteRepository(
      create(DeleteRepositoryRequestSchema, request),
      callContext(),
    )
    assert.ok(fixture.requests.some(({ isPrefix }) => isPrefix === true))
  } finally {
    stored.pop()
  }
})

test('what the caller may not see is counted, and credentials that serve more than was shown stay', async () => {
  await using fixture = await openUse()
  const { context } = fixture
  await storePolicy(
    context,
    'p, ada, repositories, get, *, allow',
    'p, ada, repositories, delete, *, allow',
    'p, ada, applications, get, default/b, allow',
  )
  const request = { repoUrl: host }
  assert.deepEqual(
    await repositoryRoutes(context).getRepositoryUse(
      create(GetRepositoryUseRequestSchema, request),
      callBy('ada'),
    ),
    { applications: ['default/b'], hidden: 1 },
  )
  const remove = (reviewedApplications: string[]) =>
    repositoryRoutes(context).deleteRepository(
      create(DeleteRepositoryRequestSchema, { ...request, isReviewed: true, reviewedApplications }),
      callBy('ada'),
    )
  await assert.rejects(remove([]), { name: 'ConflictError', message: /serve default\/b as well/ })
  assert.ok(!fixture.calls.includes('RepoServerService/DeleteRepository'))
  await remove(['default/b'])
  assert.ok(fixture.calls.includes('RepoServerService/DeleteRepository'))
})
