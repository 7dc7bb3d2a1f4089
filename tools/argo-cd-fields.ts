import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The names of Argo CD's fields, each with what Wadi does with it. */
export const fieldsFile = join(import.meta.dirname, 'argo-cd-fields.txt')

/** Reads what the list says of each `kind field`. */
export function readFields(): Map<string, string> {
  if (!existsSync(fieldsFile)) return new Map()
  const lines = readFileSync(fieldsFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  )
}
