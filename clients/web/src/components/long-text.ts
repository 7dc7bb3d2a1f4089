/** The maximum length of a text whose lines are all drawn; CodeMirror draws those in sight. */
const maxDrawnLength = 64 * 1024

/** Returns true for a text that is too long to draw all of it at once. */
export function isLong(text: string): boolean {
  return text.length > maxDrawnLength
}
