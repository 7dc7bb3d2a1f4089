const quotationMark = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const openingBrace = '{'.charCodeAt(0)
const closingBrace = '}'.charCodeAt(0)

/** Cuts a text of JSON objects, one after the other, into their texts; what follows the last complete one is the last part. */
export function splitJsonObjects(text: string): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  let isInString = false
  // A regular expression would go as deep as the longest string is long.
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (character === quotationMark) isInString = !isInString
    else if (isInString) {
      if (character === backslash) index += 1
    } else if (character === openingBrace) depth += 1
    else if (character === closingBrace) {
      depth -= 1
      if (depth !== 0) continue
      parts.push(text.slice(start, index + 1))
      start = index + 1
    }
  }
  const rest = text.slice(start)
  return rest.trim() === '' ? parts : [...parts, rest]
}
