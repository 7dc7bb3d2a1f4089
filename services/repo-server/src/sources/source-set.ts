import { isDeepStrictEqual } from 'node:util'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import type {
  Chart,
  DefaultTools,
  InspectSourcesResponseSchema,
  Source,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { changedPaths } from '@wadi/incremental/changed-paths.ts'
import { Dependents } from '@wadi/incremental/dependents.ts'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import pLimit from 'p-limit'
import { dayKey, everyTime, type InspectedSource, inspectOne, revisionKey } from './inspect-one.ts'
import type { GatedRenderer } from './gated-renderer.ts'

/** Most inspections only read files; one that asks a plugin holds up few of the others. */
export const inspectionsAtOnce = 8

/** The most files of a directory that are fetched before its inspection; of one with more, those that it reads. */
const maxReadyFiles = 256

/** Fetches the files of sources at once that their inspections and renders would fetch one by one. */
export async function readySources(tree: FileTree, sources: Iterable<Source>): Promise<void> {
  await tree.ready?.([...new Set(Array.from(sources, ({ path }) => path))], maxReadyFiles)
}

/** The place at which the sources of a list are inspected. */
interface LookAt {
  readonly tree: FileTree
  readonly revision: string
  /** Set for the files of a chart. */
  readonly chart?: Chart | undefined
}

/** The facts that the sources of a list share. */
interface OfSet {
  readonly repoUrl: string
  readonly project: string
  readonly defaultTools?: DefaultTools | undefined
}

/** The parts of the renderer that inspect the sources of a list. */
type Inspector = Pick<GatedRenderer, 'readSource' | 'inspect' | 'identity' | 'changes' | 'today'>

/** The state in which every source of the list was inspected, or would give the same. */
interface Seen extends LookAt {
  readonly identity: string
  /** The position in what renders found out. */
  readonly changes: number
  readonly day: string
}

/**
 * A list of sources of one repository with the newest inspection of each, so that the next inspection costs only what changed: a source is inspected
 * again when an entry changed at a path that its inspection looked at, when a render found out something about it, when the renderers are
 * other ones, when it depends on the revision or the day, and each time after an error.
 */
export class SourceSet {
  readonly #of: OfSet
  readonly #sources: readonly Source[]
  readonly #dependents = new Dependents()
  readonly #oneByOne = pLimit(1)
  /** By the indices of the sources. */
  #results = VersionedMap.of<number, InspectedSource['result']>()
  #seen: Seen | undefined

  constructor({ sources, ...of }: OfSet & { sources: readonly Source[] }) {
    this.#of = of
    this.#sources = sources
  }

  /** The number of sources. */
  get size(): number {
    return this.#sources.length
  }

  /**
   * Inspects what may have changed and returns all inspections, or only what differs from those of an earlier answer.
   * @param since the earlier answer's `position`; any other text for all
   */
  async look(
    renderer: Inspector,
    { chart, ...at }: LookAt,
    since: string,
    signal: AbortSignal,
  ): Promise<MessageInitShape<typeof InspectSourcesResponseSchema>> {
    return this.#oneByOne(async () => {
      const identity = await renderer.identity()
      const seen = { ...at, identity, changes: renderer.changes.position, day: renderer.today() }
      const stale = Array.from(this.#sources.entries().filter(await this.#isStale(renderer, seen)))
      await readySources(
        at.tree,
        stale.map(([, source]) => source),
      )
      const found = await mapWithLimit(stale, inspectionsAtOnce, async ([index, source]) => {
        const inspected = await inspectOne(renderer, { ...at, ...this.#of, source, chart }, signal)
        return [index, inspected] as const
      })
      // Only from here on, and at once, is anything taken over, so an inspection that ends early changes nothing.
      for (const [index, { dependsOn }] of found) this.#dependents.set(index, dependsOn)
      const changed = found.filter(
        ([index, { result }]) => !isDeepStrictEqual(result, this.#results.get(index)),
      )
      this.#results = this.#results.with(changed.map(([index, { result }]) => [index, result]))
      this.#seen = seen
      return this.#answer(since)
    })
  }

  /** Returns a check of a source and its index: true if something changed that its inspection depends on. */
  async #isStale(
    renderer: Inspector,
    now: Seen,
  ): Promise<(source: [index: number, source: Source]) => boolean> {
    const seen = this.#seen
    if (seen?.identity !== now.identity) return () => true
    const changes = renderer.changes.since(seen.changes)
    const paths = changes && (await changedPaths(seen.tree, now.tree))
    if (!paths) return () => true
    const revision = seen.revision === now.revision ? [] : [revisionKey]
    const day = seen.day === now.day ? [] : [dayKey]
    const stale = this.#dependents.of([everyTime, ...revision, ...day, ...changes, ...paths])
    return ([index]) => stale.has(index)
  }

  #answer(since: string): MessageInitShape<typeof InspectSourcesResponseSchema> {
    const results = this.#results
    const changed = results.changedSince(since)
    const position = results.version
    if (!changed) {
      return { position, inspections: this.#sources.flatMap((_, index) => results.get(index) ?? []) }
    }
    const inspections = Object.fromEntries(changed.map((index) => [index, results.get(index) ?? {}]))
    return { position, changes: { inspections } }
  }
}
