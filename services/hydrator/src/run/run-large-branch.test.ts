import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { openSingleMemory } from '@wadi/queue/shared-memory.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import type {
  InspectSourcesRequest,
  Inspection,
  Source,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { Known } from './reuse/known.ts'
import { application, repoURL, startRunFixture } from './run-fixture.ts'
import { Neighbours } from './run-neighbours-fixture.ts'
import { runBranch } from './run-branch.ts'
import { SharedCalls } from './reuse/shared-calls.ts'

const { signal } = new AbortController()
const dev = branchKey(repoURL, 'env/dev')
const names = Array.from({ length: 70 }, (_, index) => `app-${String(index).padStart(2, '0')}`)

/** A repo-server that keeps lists of sources and returns what changed, from the number of changes of each source. */
class KeepingRepoServer {
  /** The number of changes of each source, by path. */
  readonly changes = new Map<string, number>()
  readonly broken = new Set<string>()
  /** The requests that were answered without sources. */
  named = 0
  readonly #lists = new Map<string, { sources: Source[]; looks: Map<string, string[]> }>()
  #looks = 0

  readonly inspectSources = ({ sources, sourcesDigest, since }: InspectSourcesRequest) => {
    if (sources.length > 0) this.#lists.set(sourcesDigest, { sources, looks: new Map() })
    const list = this.#lists.get(sourcesDigest)
    if (!list) return {}
    if (sources.length === 0) this.named++
    const now = list.sources.map(({ path }) => this.#fingerprint(path))
    const before = list.looks.get(since)
    const position = `look ${++this.#looks}`
    list.looks.set(position, now)
    if (!before) return { position, inspections: now.map(inspectionOf) }
    const inspections: Record<number, ReturnType<typeof inspectionOf>> = {}
    for (const [index, text] of now.entries())
      if (text !== before[index]) inspections[index] = inspectionOf(text)
    return { position, changes: { inspections } }
  }

  forget(): void {
    this.#lists.clear()
  }

  #fingerprint(path: string): string {
    return this.broken.has(path) ? '' : `${path} ${this.changes.get(path) ?? 0}`
  }
}

function inspectionOf(fingerprint: string): Partial<Pick<Inspection, 'fingerprint' | 'error'>> {
  return fingerprint === '' ? { error: 'cannot be read' } : { fingerprint }
}

test('whatever dry commits change, and whichever service restarts, exactly what differs from the branch is rendered', async () => {
  const neighbours = new Neighbours()
  const repoServer = new KeepingRepoServer()
  neighbours.peers.repoServer = { ...neighbours.peers.repoServer, inspectSources: repoServer.inspectSources }
  await using fixture = await startRunFixture(neighbours.peers)
  await fixture.add(...names.map((name) => application(name)))
  await runBranch(fixture.context, dev, signal)
  assert.deepEqual(neighbours.landed.at(-1)?.paths.length, names.length)
  await fixture.reload()
  const random = seededRandom(11)
  const waiting = new Set<string>()
  let present = [...names]
  for (let n = 1; n <= 30; n++) {
    neighbours.dry = { main: String(n + 1_000).repeat(10) }
    for (let changes = random.integer(0, 3); changes > 0; changes--) {
      const name = random.pick(present)
      repoServer.changes.set(`apps/${name}`, n)
      waiting.add(name)
    }
    if (random.chance(0.2)) repoServer.broken.add(`apps/${random.pick(present)}`)
    else repoServer.broken.clear()
    if (random.chance(0.1)) repoServer.forget()
    if (random.chance(0.1)) {
      const { context } = fixture
      context.shared = new SharedCalls(context.repoServer, context.commitServer, new Reuse())
      context.known = new Known(fixture.directory, openSingleMemory(), new Reuse())
    }
    if (random.chance(0.1)) {
      const added = `new-${n}`
      await fixture.add(application(added))
      present = [...present, added]
      waiting.add(added)
    }
    const landed = neighbours.landed.length
    await runBranch(fixture.context, dev, signal)
    const commit = neighbours.landed[landed]
    if (repoServer.broken.size > 0) {
      assert.equal(commit, undefined, `dry commit ${n} lands although a source is broken`)
      continue
    }
    assert.ok(commit, `dry commit ${n} does not land`)
    assert.deepEqual(commit.paths.toSorted(), [...waiting].toSorted(), `dry commit ${n}`)
    // The first success of a new Application marks it, which the index learns from the store.
    if (commit.paths.some((path) => path.startsWith('new-'))) await fixture.reload()
    waiting.clear()
  }
  assert.ok(repoServer.named > 12, `${repoServer.named} of 30 requests only name the sources`)
})
