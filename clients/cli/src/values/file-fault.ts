import type { Finding } from '@wadi/zarf/lint/finding.ts'

/** Returns the error of a file that cannot be read; the message begins with the place, if one is known. */
export function fileFault(message: string, file: string): Finding {
  const [place = '', line, column] = /^[^\n]*?:(\d+):(\d+): /.exec(message) ?? []
  if (line === undefined || !message.startsWith(`${file}:`))
    return { severity: 'error', message, at: { file } }
  const at = { file, line: Number(line), column: Number(column) }
  return { severity: 'error', message: message.slice(place.length), at }
}
