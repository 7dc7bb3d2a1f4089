import { t } from '../language/t.ts'

const words: Readonly<Record<string, string>> = {
  Running: t('Running'),
  Waiting: t('Waiting'),
  Delayed: t('Delayed'),
}

/** Returns the place of a branch in the queue, in the language of the page; empty for none. */
export function queueWord(queue: string): string {
  return words[queue] ?? queue
}
