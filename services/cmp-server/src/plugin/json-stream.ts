/** Cuts a text of JSON objects, one after the other, into their texts; what follows the last complete one is the last part. */
export function splitJsonObjects(text: string): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  // A token is a string, in which braces mean nothing, or a brace.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') depth += 1
    else if (token === '}') depth -= 1
    if (token === '}' && depth === 0) {
      parts.push(text.slice(start, index + 1))
      start = index + 1
    }
  }
  const rest = text.slice(start)
  return rest.trim() === '' ? parts : [...parts, rest]
}
