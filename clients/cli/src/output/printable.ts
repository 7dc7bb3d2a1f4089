/**
 * Returns text from git or a server as one line that a terminal shows as it is: line breaks and tabs become spaces,
 * other control characters, which could move the cursor or forge output, become `\xNN`.
 */
export function printable(text: string): string {
  return withoutTerminalControls(text.replaceAll(/\s*[\r\n\t]\s*/g, ' '))
}

/** Makes control characters visible as `\xNN`, but leaves line feeds and tabs. */
export function withoutTerminalControls(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}
