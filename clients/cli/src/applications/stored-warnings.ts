import { printable } from '../output/printable.ts'

/** Writes the server's warnings about a stored object to standard error, one a line. */
export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`Warning: ${printable(warning)}\n`)
}
