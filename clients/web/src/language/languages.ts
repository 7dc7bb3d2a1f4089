/** The languages of the console by their tags, each by its own name. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  'zh-Hans': '简体中文',
} as const

/** The tag of a language of the console. */
export type Language = keyof typeof languages

const key = 'wadi-language'

/** Returns true if a text is the tag of a language of the console. */
export function isLanguage(tag: unknown): tag is Language {
  return typeof tag === 'string' && Object.hasOwn(languages, tag)
}

/** Returns the language of the console that comes first among those that a reader prefers; English for none. */
export function offeredLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const offered = Object.keys(languages).find((language) => isSameLanguage(language, tag))
    if (isLanguage(offered)) return offered
  }
  return 'en'
}

/** Returns the first of the preferred locales that is of a language, so that dates have the form of its region; the language for none. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => isSameLanguage(language, tag)) ?? language
}

/** `zh-CN` and `zh` are written as `zh-Hans` is, `zh-TW` is not. */
function isSameLanguage(language: string, tag: string): boolean {
  try {
    const [one, other] = [language, tag].map((name) => new Intl.Locale(name).maximize())
    return one?.language === other?.language && one?.script === other?.script
  } catch {
    return false
  }
}

/** Returns the language that was chosen in this browser; undefined for none, or where the browser keeps nothing. */
export function keptLanguage(): Language | undefined {
  try {
    const kept = localStorage.getItem(key)
    return isLanguage(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Keeps a language for this browser; a page shows it when it is loaded again. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(key, language)
}
