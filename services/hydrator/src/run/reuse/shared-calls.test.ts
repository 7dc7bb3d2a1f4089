import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { defaultLayout } from '@wadi/resources/application/layout.ts'
import type { Directory } from '../branch-run.ts'
import { application, type Peers, startRunFixture } from '../run-fixture.ts'
import { sourceLists } from '../inspect/source-lists.ts'

const { signal } = new AbortController()
const of = { repoUrl: 'https://git.example.com/apps.git', project: 'web' }
const branches = ['env/dev', 'env/prod', 'env/staging']
async function start(peers: Peers) {
  const fixture = await startRunFixture(peers)
  return {
    fixture,
    shared: fixture.context.shared,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

test('equal questions for revisions are one call, and different ones are not mixed', async () => {
  const asked: string[][] = []
  await using bed = await start({
    repoServer: {
      resolveRevisions: ({ revisions }) => {
        asked.push(revisions)
        return { revisions: revisions.map((revision) => ({ revision, sha: revision })) }
      },
    },
  })
  const answers = await Promise.all(
    ['main', 'main', 'stable'].map((revision) =>
      bed.shared.resolveRevisions({ ...of, revisions: [revision] }, signal),
    ),
  )
  assert.deepEqual(
    answers.map(({ revisions }) => revisions[0]?.sha),
    ['main', 'main', 'stable'],
  )
  assert.deepEqual(asked.map(String).toSorted(), ['main', 'stable'])
})

test('the sources of several branches are inspected with one call, and each branch gets its own inspections', async () => {
  const calls: string[][] = []
  await using bed = await start({
    repoServer: {
      inspectSources: ({ sources }) => {
        calls.push(sources.map(({ path }) => path))
        return { inspections: sources.map(({ path }) => ({ fingerprint: `of ${path}` })) }
      },
    },
  })
  await bed.fixture.add(...['a', 'b', 'c'].map((name) => application(name)))
  const inspect = async (...wanted: string[]) => {
    const directories = bed.fixture.members().flatMap((member): Directory[] => {
      const { path } = member
      return wanted.includes(path) ? [{ path, members: [member], layout: defaultLayout }] : []
    })
    const found: string[] = []
    for (const list of sourceLists(directories)) {
      const inspections = await bed.shared.inspectSources(
        wanted.join(),
        { ...of, sha: '1'.repeat(40), list },
        signal,
      )
      found.push(...[...inspections].map(([, { fingerprint }]) => fingerprint))
    }
    return found
  }
  assert.deepEqual(await Promise.all([inspect('a', 'b'), inspect(), inspect('c')]), [
    ['of apps/a', 'of apps/b'],
    [],
    ['of apps/c'],
  ])
  assert.deepEqual(calls, [['apps/a', 'apps/b', 'apps/c']])
})

test('branches of a repository are read with one call; one that cannot be read gives its own error', async () => {
  const calls: string[] = []
  await using bed = await start({
    commitServer: {
      getBranches: (request) => {
        calls.push(request.branches.map(({ branch }) => branch).join())
        return {
          branches: request.branches.map(({ branch }) =>
            branch === 'env/prod' ? {} : { position: { headSha: branch } },
          ),
        }
      },
      getBranch: ({ branch }) => {
        calls.push(branch)
        throw new ConnectError(`${branch} is broken`, Code.FailedPrecondition)
      },
    },
  })
  const read = branches.map((branch) => bed.shared.getBranch({ ...of, branch }, signal))
  const settled = await Promise.allSettled(read)
  assert.deepEqual(
    settled.map((one) =>
      one.status === 'fulfilled' ? one.value.position?.headSha : one.reason.message.includes('is broken'),
    ),
    ['env/dev', true, 'env/staging'],
  )
  assert.deepEqual(calls, ['env/dev,env/prod,env/staging', 'env/prod'])
})

test('with a commit-server of an older version each branch is read by itself', async () => {
  await using bed = await start({
    commitServer: { getBranch: ({ branch }) => ({ position: { headSha: branch } }) },
  })
  const answers = await Promise.all(branches.map((branch) => bed.shared.getBranch({ ...of, branch }, signal)))
  assert.deepEqual(
    answers.map(({ position }) => position?.headSha),
    branches,
  )
})

test('commits without directories are one call; those that did not land, and one alone, are left to their runs', async () => {
  const calls: number[] = []
  await using bed = await start({
    commitServer: {
      commitUnchanged: ({ commits }) => {
        calls.push(commits.length)
        return {
          branches: commits.map(({ targetBranch }) =>
            targetBranch === 'env/prod' ? {} : { hydratedSha: targetBranch },
          ),
        }
      },
    },
  })
  const commit = (targetBranch: string, message = '') =>
    bed.shared.commitUnchanged({ ...of, targetBranch, message }, signal)
  const landed = await Promise.all(branches.map((branch) => commit(branch)))
  assert.deepEqual(
    landed.map((answer) => answer?.hydratedSha),
    ['env/dev', undefined, 'env/staging'],
  )
  assert.equal(await commit('env/dev'), undefined)
  const long = await Promise.all(branches.map((branch) => commit(branch, 'x'.repeat(100_000))))
  assert.deepEqual(long, [undefined, undefined, undefined])
  assert.deepEqual(calls, [3])
})

test('a commit is read once for all branches, and one that is gone is looked for again', async () => {
  let asked = 0
  await using bed = await start({
    repoServer: {
      getCommit: ({ sha }) => {
        asked++
        if (asked === 1) throw new ConnectError('gone', Code.NotFound)
        return { commit: { sha } }
      },
    },
  })
  const sha = '1'.repeat(40)
  const read = () => bed.shared.getCommit({ ...of, sha }, signal)
  await assert.rejects(read())
  assert.deepEqual(
    (await Promise.all([read(), read()])).map((commit) => commit.sha),
    [sha, sha],
  )
  await read()
  assert.equal(asked, 2)
})
