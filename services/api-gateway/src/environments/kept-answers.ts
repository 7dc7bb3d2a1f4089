import { LRUCache } from 'lru-cache'

/** Returns the answer to a question, which those who ask the same within a while share. */
export type KeptAnswers<Answer> = (key: string, ask: () => Promise<Answer>) => Promise<Answer>

/** Keeps the newest answers of other services; errors are not kept. */
export function keepAnswers<Answer extends object>(max: number, ttl: number): KeptAnswers<Answer> {
  const cache = new LRUCache<string, Answer, () => Promise<Answer>>({
    max,
    ttl,
    fetchMethod: (_key, _stale, { context }) => context(),
  })
  return (key, ask) => cache.forceFetch(key, { context: ask })
}
