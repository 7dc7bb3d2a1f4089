import { t } from '../language/t.ts'

const words = new Map([
  ['created', t('created')],
  ['changed', t('changed')],
  ['removed', t('removed')],
  ['moved', t('moved')],
  ['renamed', t('renamed')],
])

/** Returns what becomes of an object, in the language of the page. */
export function changeWord(change: string): string {
  return words.get(change) ?? change
}
