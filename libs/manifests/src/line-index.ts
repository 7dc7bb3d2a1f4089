/** A position in a text, both parts counted from 1; the column in characters of the line. */
export interface TextPosition {
  line: number
  column: number
}

/** Returns a function that returns line and column of an offset in the text; CR, LF and CRLF end lines. */
export function indexLines(text: string): (offset: number) => TextPosition {
  const starts = [0]
  for (const lineEnd of text.matchAll(/\r\n|\r|\n/g)) starts.push(lineEnd.index + lineEnd[0].length)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}
