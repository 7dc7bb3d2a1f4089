import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import type {
  Chart,
  DefaultTools,
  InspectSourcesResponseSchema,
  Source,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { KeptGrounds, type Look } from '@wadi/rendering/inspection/grounds/kept-grounds.ts'
import pLimit from 'p-limit'
import { type InspectedSource, inspectOne } from './inspect-one.ts'
import type { SourceRenderer } from './source-renderer.ts'

/** Most inspections only read files; one that asks a plugin holds up few of the others. */
export const inspectionsAtOnce = 8

/** The place at which the sources of a list are inspected. */
interface LookAt extends Look {
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
type Inspector = Pick<SourceRenderer, 'readSource' | 'inspect' | 'identity' | 'news'>

/** The state in which every source of the list was inspected, or would give the same. */
interface Seen extends Look {
  readonly identity: string
  readonly news: number
}

/**
 * A list of sources of one repository with the newest inspection of each, so that the next inspection costs only what changed: a source is inspected
 * again when an entry changed at a path that its inspection looked at, when a render found out something about it, when the renderers are
 * other ones, when it depends on the revision, and each time after an error.
 */
export class SourceSet {
  readonly #id = randomUUID()
  readonly #of: OfSet
  readonly #sources: readonly Source[]
  readonly #inspected: InspectedSource[] = []
  /** For each source the number of the inspection that found its present facts. */
  readonly #changedAt: Float64Array
  readonly #grounds = new KeptGrounds()
  readonly #oneByOne = pLimit(1)
  #looks = 0
  #seen: Seen | undefined

  constructor({ sources, ...of }: OfSet & { sources: readonly Source[] }) {
    this.#of = of
    this.#sources = sources
    this.#changedAt = new Float64Array(sources.length)
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
      const seen = { ...at, identity: await renderer.identity(), news: renderer.news.end }
      const stale = await this.#stale(renderer, seen)
      const found = await mapWithLimit(stale, inspectionsAtOnce, async ([index, source]) => {
        const inspected = await inspectOne(renderer, { ...at, ...this.#of, source, chart }, signal)
        return { index, inspected }
      })
      // Only from here on, and at once, is anything taken over, so an inspection that ends early changes nothing.
      this.#looks++
      for (const { index, inspected } of found) this.#take(index, inspected)
      this.#seen = seen
      return this.#answer(since)
    })
  }

  async #stale(renderer: Inspector, now: Seen): Promise<[number, Source][]> {
    const all = (): [number, Source][] => [...this.#sources.entries()]
    const seen = this.#seen
    if (seen?.identity !== now.identity) return all()
    const keys = renderer.news.since(seen.news)
    const stale = keys && (await this.#grounds.stale(seen, now, keys))
    if (!stale) return all()
    return [...stale].flatMap((index): [number, Source][] => {
      const source = this.#sources[index]
      return source ? [[index, source]] : []
    })
  }

  #take(index: number, inspected: InspectedSource): void {
    const before = this.#inspected[index]
    if (!before || !isDeepStrictEqual(before.result, inspected.result)) this.#changedAt[index] = this.#looks
    this.#grounds.set(index, inspected.grounds)
    this.#inspected[index] = inspected
  }

  #answer(since: string): MessageInitShape<typeof InspectSourcesResponseSchema> {
    const position = `${this.#id}:${this.#looks}`
    const [id, look] = since.split(':')
    const before = Number(look)
    const isKnown = id === this.#id && Number.isInteger(before) && before > 0 && before <= this.#looks
    if (!isKnown) {
      return { position, inspections: this.#inspected.map(({ result }) => result) }
    }
    const inspections: Record<number, InspectedSource['result']> = {}
    for (const [index, changedAt] of this.#changedAt.entries()) {
      const inspected = changedAt > before ? this.#inspected[index] : undefined
      if (inspected) inspections[index] = inspected.result
    }
    return { position, changes: { inspections } }
  }
}
