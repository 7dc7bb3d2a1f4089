import { LRUCache } from 'lru-cache'

/** The newest answers of other services, which those who ask the same within a while share. */
export interface KeptAnswers<Answer> {
  /** Returns the answer to a question. */
  ask(key: string, ask: () => Promise<Answer>): Promise<Answer>
  /** Has everything asked again. */
  forget(): void
}

/** Keeps the newest answers of other services; errors are not kept. */
export function keepAnswers<Answer extends object>(max: number, ttl: number): KeptAnswers<Answer> {
  const cache = new LRUCache<string, Answer, () => Promise<Answer>>({
    max,
    ttl,
    fetchMethod: (_key, _stale, { context }) => context(),
  })
  return {
    ask: (key, ask) => cache.forceFetch(key, { context: ask }),
    forget: () => cache.clear(),
  }
}
