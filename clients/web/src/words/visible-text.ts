/** Marks and overrides of direction, and control characters other than tabs and line feeds. */
const hidden = /(?![\t\n])[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu
/** Beside these, characters of code without a width. */
const hiddenInCode = new RegExp(`(${hidden.source}|[\\u00AD\\u200B\\uFEFF\\uFFF9-\\uFFFC])`, 'u')

/** Returns a text of somebody else with what would reorder or hide the words around it shown by its code, such as `[U+202E]`. */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, characterCode)
}

/** Returns code in parts: the second, fourth and so on are characters that would reorder or hide others. */
export function hiddenParts(text: string): string[] {
  return text.split(hiddenInCode)
}

/** Returns such a text for the middle of a sentence, whose direction it does not change; elements have `GivenText`. */
export function isolatedText(text: string): string {
  return `\u2068${visibleText(text)}\u2069`
}

/** Returns the code of a character, such as `[U+202E]`. */
export function characterCode(character: string): string {
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `[U+${point.padStart(4, '0')}]`
}
