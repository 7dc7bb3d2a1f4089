import type german from './catalogues/de.json'
import type { Catalogue } from './format-message.ts'
import { keptLanguage, type Language, localeOf, offeredLanguage } from './languages.ts'

/** An English text of the console; every one has a row in each catalogue. */
export type Message = keyof typeof german

interface CatalogueParts {
  /** The texts of the first page. */
  first: () => Promise<{ default: Catalogue }>
  /** Those of the other pages. */
  later: () => Promise<{ default: Catalogue }>
}

const catalogues: Readonly<Record<Exclude<Language, 'en'>, CatalogueParts>> = {
  de: {
    first: () => import('./catalogues/de.json?first'),
    later: () => import('./catalogues/de.json?later'),
  },
  es: {
    first: () => import('./catalogues/es.json?first'),
    later: () => import('./catalogues/es.json?later'),
  },
  fr: {
    first: () => import('./catalogues/fr.json?first'),
    later: () => import('./catalogues/fr.json?later'),
  },
  ja: {
    first: () => import('./catalogues/ja.json?first'),
    later: () => import('./catalogues/ja.json?later'),
  },
  'zh-Hans': {
    first: () => import('./catalogues/zh-Hans.json?first'),
    later: () => import('./catalogues/zh-Hans.json?later'),
  },
}

// Tests run without a browser.
const preferred = typeof document === 'undefined' ? [] : navigator.languages
const wanted = typeof document === 'undefined' ? 'en' : (keptLanguage() ?? offeredLanguage(preferred))

/** The catalogue of the language; undefined for English, whose texts are where they are used. */
export const catalogue: Catalogue | undefined =
  wanted === 'en'
    ? undefined
    : await catalogues[wanted].first().then(
        ({ default: texts }) => ({ ...texts }),
        () => undefined,
      )

let later: Promise<void> | undefined

/** Loads the texts of the other pages, once; what cannot be loaded stays English until the next call. */
export function loadLaterTexts(): Promise<void> {
  return (later ??= addLaterTexts().catch(() => {
    later = undefined
  }))
}

async function addLaterTexts(): Promise<void> {
  if (!catalogue || wanted === 'en') return
  const { default: texts } = await catalogues[wanted].later()
  Object.assign(catalogue, texts)
}

/** The language of the page for as long as it is open: that of the reader, or English if its catalogue cannot be loaded. */
export const language: Language = catalogue ? wanted : 'en'

/** The locale of dates and numbers: the language, with the region that the browser names for it. */
export const locale = localeOf(language, preferred)
