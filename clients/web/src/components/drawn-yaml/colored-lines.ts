import type { Span } from './changed-blocks.ts'
import { type ColoredSpan, lineColors, type OpenText } from './line-colors.ts'

/** A part of a line that is drawn in one way. */
interface Piece {
  readonly text: string
  readonly color: ColoredSpan['color'] | undefined
  readonly isMarked: boolean
}

export type Line = readonly Piece[]

/** Returns the lines of a text of YAML in pieces, one line for an empty text. @param marks the marked parts, in their order */
export function coloredLines(text: string, marks: readonly Span[] = []): Line[] {
  const waiting = [...marks]
  let open: OpenText = {}
  let start = 0
  return text.split('\n').map((line) => {
    const end = start + line.length
    const marked: Span[] = []
    for (let [mark] = waiting; mark && mark.from < end; [mark] = waiting) {
      marked.push({ from: mark.from - start, to: mark.to - start })
      if (mark.to > end) break
      waiting.shift()
    }
    const { colors, open: behind } = lineColors(line, open)
    open = behind
    start = end + 1
    return pieces(line, colors, marked)
  })
}

function pieces(line: string, colors: readonly ColoredSpan[], marks: readonly Span[]): Line {
  const edges = [...colors, ...marks].flatMap(({ from, to }) => [from, to])
  const cuts = new Set([0, ...edges.filter((edge) => edge > 0 && edge < line.length), line.length])
  const places = [...cuts].toSorted((one, other) => one - other)
  const colorAt = spansInTurn(colors)
  const markAt = spansInTurn(marks)
  return places.slice(0, -1).map((from, index) => ({
    text: line.slice(from, places[index + 1]),
    color: colorAt(from)?.color,
    isMarked: markAt(from) !== undefined,
  }))
}

/** Returns a function that finds the span of a place, of places that only grow. */
function spansInTurn<Found extends Span>(spans: readonly Found[]): (place: number) => Found | undefined {
  let next = 0
  return (place) => {
    while ((spans[next]?.to ?? Infinity) <= place) next++
    const span = spans[next]
    return span && span.from <= place ? span : undefined
  }
}
