import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { type StandInPull, standInState } from '@wadi/forges/pull-requests/forge-state-fixture.ts'
import { standInToken } from '@wadi/forges/pull-requests/stand-in-answers-fixture.ts'
import { startStandInForge } from '@wadi/forges/pull-requests/stand-in-server-fixture.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { addForgeSecret, tokenRef } from '../forges/scm-secret-fixture.ts'
import { startGeneratorFixture } from '../generator-fixture.ts'

await using starting = new AsyncDisposableStack()
const scratch = starting.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-azure-')))
const copy = await createRepository(path.join(scratch.path, 'copy'), {})
const sha = await copy.commitFiles({ 'deploy/app.yaml': 'kind: Service\n' }, 'First')
const directory = path.join(scratch.path, 'copy', '.git')
for (const branch of ['main', 'main-2', 'release/1.0']) {
  await runTestGit(directory, ['update-ref', `refs/heads/${branch}`, sha])
}
const state = standInState(directory, { owner: 'Web Shop', name: 'deploy it' })
const server = starting.use(await startStandInForge('azure-devops', state))
const api = new URL(server.address).origin
const fixture = starting.use(await startGeneratorFixture({}, { isEnabled: true, allowedApis: [api] }))
await addForgeSecret(fixture.store, { token: standInToken })
const running = starting.move()
after(() => running.disposeAsync())

const azureDevOps = { api, organization: 'contoso', teamProject: 'Web Shop', accessTokenRef: tokenRef }
const azuredevops = { api, organization: 'contoso', project: 'Web Shop', repo: 'deploy it', tokenRef }

async function valuesOf(generator: Record<string, unknown>) {
  return (await fixture.parameters(generator)).map(({ values }) => values)
}

function pull(parts: Partial<StandInPull>): StandInPull {
  const texts = {
    title: 'Add a basket',
    body: '',
    head: 'release/1.0',
    base: 'main',
    author: 'ada@example.com',
  }
  const none = { requestedReviewers: [], reviews: [], isMerged: false, isDraft: false }
  return { number: 1, state: 'open', labels: ['preview', 'ui'], ...texts, ...none, ...parts }
}

test('the default branches of a project of Azure DevOps become parameters, with the address for https', async () => {
  const [first, ...others] = await valuesOf({ scmProvider: { azureDevOps } })
  assert.deepEqual(first, {
    organization: 'contoso',
    repository: 'deploy it',
    repository_id: '3411ebc1-d5aa-464f-9615-0b527bc66719',
    url: 'https://contoso@dev.azure.com/contoso/Web%20Shop/_git/deploy%20it',
    branch: 'main',
    branchNormalized: 'main',
    sha,
    short_sha: sha.slice(0, 8),
    short_sha_7: sha.slice(0, 7),
    labels: '',
  })
  assert.deepEqual(others, [])
  assert.deepEqual(server.violations, [])
})

test('allBranches of Azure DevOps gives every branch, and paths are looked for in each', async () => {
  const found = async (filters: Record<string, unknown>[]) => {
    const all = await valuesOf({
      scmProvider: { azureDevOps: { ...azureDevOps, allBranches: true }, filters },
    })
    return all.map(({ branch }) => branch)
  }
  assert.deepEqual(await found([]), ['main', 'main-2', 'release/1.0'])
  assert.deepEqual(await found([{ branchMatch: '^main', pathsExist: ['deploy/app.yaml', 'deploy'] }]), [
    'main',
    'main-2',
  ])
  assert.deepEqual(await found([{ pathsDoNotExist: ['deploy'] }]), [])
  assert.deepEqual(server.violations, [])
})

test('the active pull requests of Azure DevOps become parameters, on every page', async () => {
  state.pulls = [
    pull({}),
    pull({ number: 2, state: 'closed' }),
    pull({ number: 3, head: 'gone' }),
    pull({ number: 4, labels: ['ui'], author: 'bob' }),
  ]
  const [first, second, ...others] = await valuesOf({ pullRequest: { azuredevops } })
  assert.deepEqual(first, {
    number: '1',
    title: 'Add a basket',
    branch: 'release/1.0',
    branch_slug: 'release-1-0',
    target_branch: 'main',
    target_branch_slug: 'main',
    head_sha: sha,
    head_short_sha: sha.slice(0, 8),
    head_short_sha_7: sha.slice(0, 7),
    author: 'ada',
  })
  assert.deepEqual([second?.['number'], second?.['author'], others], ['4', 'bob', []])
  const labelled = await valuesOf({
    pullRequest: { azuredevops: { ...azuredevops, labels: ['preview', 'ui'] } },
  })
  assert.deepEqual(
    labelled.map(({ number }) => number),
    ['1'],
  )
  assert.deepEqual(server.violations, [])
})

test('an error in a generator of Azure DevOps names its field', async () => {
  for (const [generator, message] of [
    [{ scmProvider: { azureDevOps: { api, organization: 'contoso' } } }, /azureDevOps\.teamProject/],
    [
      { scmProvider: { azureDevOps: { ...azureDevOps, tokenRef } } },
      /unknown field \S+azureDevOps\.tokenRef;/,
    ],
    [{ pullRequest: { azureDevOps } }, /unknown field \S+pullRequest\.azureDevOps;/],
    [
      { pullRequest: { azuredevops: { ...azuredevops, repo: 'renamed' } } },
      /azure-devops: GET .*\/contoso\/Web%20Shop\/_apis\/git\/repositories\/renamed: 404 Not Found/,
    ],
  ] as const) {
    await assert.rejects(valuesOf(generator), message)
  }
  const sign = { status: 203, headers: { 'content-type': 'text/html' }, body: '<html>' }
  server.rejections.push(sign)
  await assert.rejects(
    valuesOf({ scmProvider: { azureDevOps: { ...azureDevOps, allBranches: true } } }),
    /401 Unauthorized; the token is not accepted, put a valid one into the Secret/,
  )
})
