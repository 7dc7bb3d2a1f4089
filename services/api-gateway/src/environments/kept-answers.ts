import { LRUCache } from 'lru-cache'

/** The newest answers of other services, which those who ask the same within a while share. */
export interface KeptAnswers<Answer> {
  /** Returns the answer to a question. */
  ask(key: string, ask: () => Promise<Answer>): Promise<Answer>
  /** Has everything asked again; those who wait for an answer still get it. */
  forget(): void
}

/** Keeps the newest answers of other services; errors are not kept. */
export function keepAnswers<Answer extends object>(max: number, ttl: number): KeptAnswers<Answer> {
  const openCache = () =>
    new LRUCache<string, Answer, () => Promise<Answer>>({
      max,
      ttl,
      fetchMethod: (_key, _stale, { context }) => context(),
    })
  let cache = openCache()
  return {
    ask: (key, ask) => cache.forceFetch(key, { context: ask }),
    forget: () => {
      // To clear it would abort the questions that are not answered yet.
      cache = openCache()
    },
  }
}
