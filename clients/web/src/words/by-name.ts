import { locale } from '../language/catalogue.ts'

const collator = new Intl.Collator(locale, { numeric: true })

/** Compares names in the order of the reader's language, in which `web-10` comes after `web-9`. */
export function byName(one: string, other: string): number {
  return collator.compare(one, other)
}
