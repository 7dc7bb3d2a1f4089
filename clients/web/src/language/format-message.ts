import format, { type CompiledMessage, type FormatOptions } from 'icu-minify/format'
import type { ReactNode } from 'react'

/** The texts of a language by the keys of the English ones, as `build/messages/compile-messages.ts` compiled them. */
export type Catalogue = Readonly<Record<string, CompiledMessage>>

/** Draws the text between two tags. */
export type TagDrawing = (chunks: ReactNode[]) => ReactNode

const numbers = new Map<string, Intl.NumberFormat>()
const plurals = new Map<string, Intl.PluralRules>()

const formatters: FormatOptions['formatters'] = {
  getDateTimeFormat: (locale, options) => new Intl.DateTimeFormat(locale, options),
  getNumberFormat: (locale) => kept(numbers, String(locale), (name) => new Intl.NumberFormat(name)),
  getPluralRules: (locale) => kept(plurals, String(locale), (name) => new Intl.PluralRules(name)),
}

function kept<Made>(made: Map<string, Made>, locale: string, make: (locale: string) => Made): Made {
  const known = made.get(locale) ?? make(locale)
  made.set(locale, known)
  return known
}

/** Returns the key of a compiled English text in a catalogue. @internal the build makes catalogues with it */
export function catalogueKey(message: CompiledMessage): string {
  return typeof message === 'string' ? message : JSON.stringify(message)
}

/** Returns a compiled English text in the language of a catalogue, with its values; English without a catalogue or a row. It has parts if it has tags. */
export function formatMessage(
  message: CompiledMessage,
  values: unknown,
  { catalogue, locale }: { catalogue: Catalogue | undefined; locale: string },
): ReactNode | ReactNode[] {
  const translated = catalogue?.[catalogueKey(message)] ?? message
  return format(translated, locale, values as Parameters<typeof format<ReactNode>>[2], { formatters })
}
