import type german from './catalogues/de.json'
import type { Catalogue } from './format-message.ts'
import { keptLanguage, type Language, localeOf, offeredLanguage } from './languages.ts'

/** An English text of the console; every one has a row in each catalogue. */
export type Message = keyof typeof german

const catalogues: Readonly<
  Record<Exclude<Language, 'en'>, () => Promise<{ default: Record<Message, string> }>>
> = {
  de: () => import('./catalogues/de.json'),
  es: () => import('./catalogues/es.json'),
  fr: () => import('./catalogues/fr.json'),
  ja: () => import('./catalogues/ja.json'),
  'zh-Hans': () => import('./catalogues/zh-Hans.json'),
}

// Tests run without a browser.
const preferred = typeof document === 'undefined' ? [] : navigator.languages
const wanted = typeof document === 'undefined' ? 'en' : (keptLanguage() ?? offeredLanguage(preferred))

/** The catalogue of the language; undefined for English, whose texts are where they are used. */
export const catalogue: Catalogue | undefined =
  wanted === 'en'
    ? undefined
    : await catalogues[wanted]().then(
        ({ default: read }) => read,
        () => undefined,
      )

/** The language of the page for as long as it is open: that of the reader, or English if its catalogue cannot be loaded. */
export const language: Language = catalogue ? wanted : 'en'

/** The locale of dates and numbers: the language, with the region that the browser names for it. */
export const locale = localeOf(language, preferred)
