import type { ShadowedApplication } from './shadow-application.ts'

/** A comparison, and how it was before. */
export interface ShadowRow extends ShadowedApplication {
  /** The number of pairs of commits that were compared since the start, and of those with a difference. */
  readonly compared?: number
  readonly differed?: number
}

interface Counted {
  /** The commits of the last comparison and its outcome. */
  last: string
  compared: number
  differed: number
}

/** The comparisons of a watch. */
export class ShadowHistory {
  readonly #counts = new Map<string, Counted>()

  /** Adds comparisons and returns those that are not as the ones before them. */
  add(results: readonly ShadowedApplication[]): ShadowedApplication[] {
    return results.filter((result) => {
      const { name, outcome, hydratedSha, drySha, error = '' } = result
      const counted = this.#counts.getOrInsertComputed(name, () => ({ last: '', compared: 0, differed: 0 }))
      const now = [outcome, hydratedSha, drySha, error].join('\n')
      if (counted.last === now) return false
      counted.last = now
      if (outcome === 'failed') return true
      counted.compared += 1
      if (outcome === 'differs' || outcome === 'missing') counted.differed += 1
      return true
    })
  }

  /** Returns comparisons with their counts. */
  rows(results: readonly ShadowedApplication[]): ShadowRow[] {
    return results.map((result) => {
      const { compared = 0, differed = 0 } = this.#counts.get(result.name) ?? {}
      return { ...result, compared, differed }
    })
  }
}
