/**
 * Splits one line into its fields as Go's `encoding/csv` does with `TrimLeadingSpace`: blanks before a field go, blanks
 * behind it stay, and `""` inside a quoted field is one quote. Returns an error as text.
 */
export function readCsvRecord(line: string): string[] | string {
  const fields: string[] = []
  let rest = line
  for (;;) {
    rest = rest.replace(/^\p{White_Space}+/u, '')
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest)
    if (!quoted && rest.startsWith('"')) return 'a quoted field is not closed'
    const field = quoted?.[0] ?? /^[^,]*/.exec(rest)?.[0] ?? ''
    if (!quoted && field.includes('"')) return `the field ${JSON.stringify(field)} has a quote inside`
    rest = rest.slice(field.length)
    fields.push(quoted?.[1]?.replaceAll('""', '"') ?? field)
    if (rest === '') return fields
    if (!rest.startsWith(',')) return `a comma must follow the quoted field ${field}`
    rest = rest.slice(1)
  }
}
