/** Returns a table with a header of `columns`; a cell may hold Markdown, and its bars are escaped. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${[columns, columns.map(() => '---'), ...rows].map(tableRow).join('\n')}\n`
}

/** Returns text as code; nothing of an empty text. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

/** Returns plain text so that no angle bracket outside of its code begins an element of HTML. */
export function prose(text: string): string {
  return text.replaceAll(/`[^`]*`|</g, (found) => (found === '<' ? '\\<' : found))
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}
