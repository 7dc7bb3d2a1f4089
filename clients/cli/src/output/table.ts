import { printable } from './printable.ts'

/**
 * Lays out rows below upper-case headers as Go's tabwriter does for argocd: two spaces between columns, the last
 * column not padded, one line feed after each line.
 */
export function tableText(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headers, ...rows].map((row) => row.map((cell) => printable(cell)))
  const widths = headers.map((_, column) => Math.max(...lines.map((line) => width(line[column] ?? ''))))
  return lines.map((line) => `${line.map((cell, column) => padded(cell, column)).join('')}\n`).join('')

  function padded(cell: string, column: number): string {
    if (column === headers.length - 1) return cell
    return cell + ' '.repeat((widths[column] ?? 0) - width(cell) + 2)
  }
}

/** One `Key:   value` line of a block, the value in column 21 as argocd's `%-20s%s` puts it. */
export function blockLine(key: string, value: string): string {
  return `${key.padEnd(20)}${printable(value)}\n`
}

function width(cell: string): number {
  return Array.from(cell).length
}
