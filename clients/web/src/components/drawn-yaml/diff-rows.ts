import { type Block, changedBlocks, changedWords, type Span } from './changed-blocks.ts'
import { coloredLines, type Line } from './colored-lines.ts'

/** A line of a text that is compared. */
interface SideLine {
  /** From 1. */
  readonly number: number
  readonly line: Line
}

/** The lines of two texts in one place: the same one, one that another one replaces, or one of one text alone. */
export interface DiffRow {
  readonly isSame: boolean
  readonly before?: SideLine | undefined
  readonly after?: SideLine | undefined
}

/** A text and its lines. */
interface Side {
  text: string
  lines: string[]
  /** The offset of each line, and of one behind the last. */
  starts: number[]
}

/** Longer changes are marked as a whole. */
const maxComparedLength = 10_000

/** Returns the rows of two texts of YAML, with marks where the words differ of lines that replace one another. */
export function diffRows(before: string, after: string): DiffRow[] {
  const [one, other] = [readSide(before), readSide(after)]
  const blocks = changedBlocks(one.lines, other.lines)
  const words = blocks.map((block) => blockWords(block, one, other))
  const left = coloredLines(
    before,
    words.flatMap((changed) => changed.before),
  )
  const right = coloredLines(
    after,
    words.flatMap((changed) => changed.after),
  )
  return blocks.flatMap((block) => {
    const count = Math.max(lengthOf(block.before), lengthOf(block.after))
    return Array.from({ length: count }, (_, index) => ({
      isSame: block.isSame,
      before: lineAt(left, block.before, index),
      after: lineAt(right, block.after, index),
    }))
  })
}

/** Returns the rows with lines of one text each, those before a change above those after it. */
export function unifiedRows(rows: readonly DiffRow[]): DiffRow[] {
  const unified: DiffRow[] = []
  const added: DiffRow[] = []
  for (const row of rows) {
    if (row.isSame) unified.push(...added.splice(0), row)
    else {
      if (row.before) unified.push({ isSame: false, before: row.before })
      if (row.after) added.push({ isSame: false, after: row.after })
    }
  }
  return [...unified, ...added]
}

function readSide(text: string): Side {
  const lines = text === '' ? [] : text.split('\n')
  const starts = [0]
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1)
  return { text, lines, starts }
}

function blockWords(
  { isSame, before, after }: Block,
  one: Side,
  other: Side,
): ReturnType<typeof changedWords> {
  const [left, right] = [textOf(one, before), textOf(other, after)]
  if (isSame || left === '' || right === '' || left.length + right.length > maxComparedLength)
    return { before: [], after: [] }
  const words = changedWords(left, right)
  return {
    before: words.before.map((span) => moved(span, one.starts[before.from])),
    after: words.after.map((span) => moved(span, other.starts[after.from])),
  }
}

function textOf({ text, starts }: Side, { from, to }: Span): string {
  return from === to ? '' : text.slice(starts[from], (starts[to] ?? 0) - 1)
}

function moved({ from, to }: Span, offset = 0): Span {
  return { from: from + offset, to: to + offset }
}

function lengthOf({ from, to }: Span): number {
  return to - from
}

function lineAt(lines: readonly Line[], { from, to }: Span, index: number): SideLine | undefined {
  const line = from + index < to ? lines[from + index] : undefined
  return line && { number: from + index + 1, line }
}
