import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { runBranch } from '../run-branch.ts'
import { application, repoURL, startRunFixture } from '../run-fixture.ts'
import { Neighbours, sha } from '../run-neighbours-fixture.ts'

const { signal } = new AbortController()

/**
 * A branch of Applications of which repo-server wants what `wanting` has on the branch, and denies those that have `denied` there.
 * @param held returns what a directory has at a revision
 */
async function startHeld(wanting: readonly string[], held: (path: string, revision: string) => string) {
  const neighbours = new Neighbours()
  const { repoServer, commitServer } = neighbours.peers
  const read: string[] = []
  const given: string[][] = []
  const fixture = await startRunFixture({
    repoServer: {
      ...repoServer,
      inspectSources: ({ sha: commit, sources }) => ({
        inspections: sources.map(({ path }) => ({
          fingerprint: `${commit} ${path}`,
          wantsFormer: wanting.includes(path),
        })),
      }),
      async *renderSources({ sources }) {
        given.push(sources.map(({ path, gates }) => `${path} ${gates?.former.slice(0, 10)}`))
        for (const [index, { gates }] of sources.entries()) {
          const error = gates?.former === 'denied' ? 'gates deny it' : ''
          yield { index, done: true, error, manifests: error === '' ? ['{}'] : [] }
        }
      },
    },
    commitServer: {
      ...commitServer,
      async *getDirectories({ paths, revision }) {
        for (const path of paths) {
          read.push(`${path} ${revision.slice(0, 7)}`)
          yield { path, manifest: held(path, revision) }
        }
      },
    },
  })
  const run = (branch = 'env/dev') => runBranch(fixture.context, branchKey(repoURL, branch), signal)
  return { neighbours, fixture, read, given, run }
}

test('only what wants its former objects is read from the branch, at the head that the commit is made on', async () => {
  const bed = await startHeld(['apps/a', 'apps/c'], (path) => `held ${path}`)
  await using fixture = bed.fixture
  await fixture.add(...['a', 'b', 'c'].map((name) => application(name)))
  await bed.run()
  assert.deepEqual([bed.read, bed.given], [[], [['apps/a ', 'apps/b ', 'apps/c ']]])
  bed.neighbours.dry = { main: sha(2) }
  await fixture.reload()
  await bed.run()
  assert.deepEqual(bed.read, ['a 8888888', 'c 8888888'])
  assert.deepEqual(bed.given[1], ['apps/a held a', 'apps/b ', 'apps/c held c'])
})

test('large former objects are sent with several requests', async () => {
  const bed = await startHeld(['apps/a', 'apps/b', 'apps/c'], (path) => path.repeat(3 * 1024 * 1024))
  await using fixture = bed.fixture
  bed.neighbours.position = { headSha: sha(8), drySha: '', installation: '' }
  await fixture.add(...['a', 'b', 'c'].map((name) => application(name)))
  await bed.run()
  assert.deepEqual(bed.given, [['apps/a aaaaaaaaaa'], ['apps/b bbbbbbbbbb'], ['apps/c cccccccccc']])
})

test('a staging branch is judged against the branch that is deployed from', async () => {
  const bed = await startHeld(['apps/a'], (_path, revision) => `at ${revision}`)
  await using fixture = bed.fixture
  await fixture.add(application('a', { hydrateTo: { targetBranch: 'env/dev-next' } }))
  await bed.run('env/dev-next')
  assert.deepEqual(bed.given, [['apps/a at env/dev']])
})

test('what is denied for what the branch holds waits for another head of it', async () => {
  let head = 'denied'
  const bed = await startHeld(['apps/a'], () => head)
  await using fixture = bed.fixture
  const { neighbours } = bed
  neighbours.position = { headSha: sha(8), drySha: '', installation: '' }
  await fixture.add(application('a'))
  await bed.run()
  await fixture.reload()
  await bed.run()
  assert.deepEqual([bed.given.length, neighbours.landed.length], [1, 0])
  head = 'other'
  neighbours.position = { ...neighbours.position, headSha: sha(7) }
  await fixture.reload()
  await bed.run()
  assert.deepEqual([bed.given.length, neighbours.landed.length], [2, 1])
})
