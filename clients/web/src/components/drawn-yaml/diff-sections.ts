import type { DiffRow } from './diff-rows.ts'

/** Rows that are drawn one after the other; folded ones when somebody opens them. */
export interface DiffSection {
  readonly isFolded: boolean
  readonly rows: readonly DiffRow[]
}

/** The number of rows that are shown before and after a change. */
const margin = 3
/** Fewer rows take hardly more room than a button that opens them. */
const minFolded = 6

/** Returns the rows of a diff in sections; what is the same and far from changes is folded. */
export function diffSections(rows: readonly DiffRow[]): DiffSection[] {
  const sections: { isFolded: boolean; rows: DiffRow[] }[] = []
  for (const [index, row] of rows.entries()) {
    const around = rows.slice(Math.max(index - margin, 0), index + margin + 1)
    const isFolded = around.every(({ isSame }) => isSame)
    const last = sections.at(-1)
    if (last?.isFolded === isFolded) last.rows.push(row)
    else sections.push({ isFolded, rows: [row] })
  }
  return sections.map((section) => ({
    ...section,
    isFolded: section.isFolded && section.rows.length >= minFolded,
  }))
}
