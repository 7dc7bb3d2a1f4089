import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { FoundObject, SearchedBranch } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { Fingerprints } from '../branch-run.ts'
import type { Known } from './known.ts'

/** Characters of names that are kept in memory: half a million objects. */
const maxKept = 32 * 1024 * 1024

/** Other work gets a turn after so long. */
const maxTurnMs = 20

interface KeptBranch {
  readonly head: string
  readonly texts: Fingerprints
}

type Found = Pick<FoundObject, 'branchKey' | 'path'> & {
  identity: { group: string; kind: string; namespace: string; name: string }
}

/**
 * Finds objects of hydrated branches by their names, in what runs recorded when they rendered their directories. A branch is read again when it
 * has another head, and no more is kept than fits.
 */
export class ObjectSearch {
  readonly #known: Pick<Known, 'objects'>
  readonly #kept = new LRUCache<string, KeptBranch>({
    maxSize: maxKept,
    sizeCalculation: ({ texts }) =>
      [...texts].reduce((sum, [path, text]) => sum + path.length + text.length, 1),
  })

  constructor(known: Pick<Known, 'objects'>) {
    this.#known = known
  }

  /** Returns the nearest objects that have all words of a text in lower case, and how many branches were not searched. */
  async find(
    text: string,
    branches: readonly Pick<SearchedBranch, 'branchKey' | 'head' | 'paths'>[],
    limit: number,
  ): Promise<{ objects: Found[]; notSearched: number }> {
    const words = text.split(/\s+/).filter((word) => word !== '')
    const ranked: Found[][] = [[], [], []]
    let notSearched = 0
    let turn = performance.now()
    for (const { branchKey, head, paths } of branches) {
      const texts = await this.#textsOf(branchKey, head)
      if (texts === undefined) {
        notSearched += 1
        continue
      }
      const wanted = paths.length > 0 ? new Set(paths) : undefined
      for (const [path, lines] of texts) {
        if (wanted?.has(path) === false) continue
        for (const identity of objectsWith(lines, words)) {
          const rank = ranked[rankOf(identity.name.toLowerCase(), text)]
          if (rank && rank.length < limit) rank.push({ branchKey, path, identity })
        }
        if (performance.now() - turn < maxTurnMs) continue
        await nextTurn()
        turn = performance.now()
      }
    }
    return { objects: ranked.flat().slice(0, limit), notSearched }
  }

  async #textsOf(key: string, head: string): Promise<Fingerprints | undefined> {
    const kept = this.#kept.get(key)
    if (kept?.head === head) return kept.texts
    const texts = await this.#known.objects(key, head)
    if (texts) this.#kept.set(key, { head, texts })
    return texts
  }
}

/** Yields the objects of a directory whose lines have all words. */
function* objectsWith(lines: string, words: readonly string[]): Generator<Found['identity']> {
  const lower = lines.toLowerCase()
  if (!words.every((word) => lower.includes(word))) return
  for (const line of lines.split('\n')) {
    const own = line.toLowerCase()
    if (!words.every((word) => own.includes(word))) continue
    const [kinds = '', place = '', name = ''] = line.split('\t')
    const slash = kinds.indexOf('/')
    const namespace = place === '-' ? '' : place
    yield { group: kinds.slice(0, slash), kind: kinds.slice(slash + 1), namespace, name }
  }
}

function rankOf(name: string, text: string): number {
  if (name === text) return 0
  return name.startsWith(text) ? 1 : 2
}
