/**
 * Lays out compact JSON with two spaces a level, as `JSON.stringify(value, undefined, 2)` does, without reading its
 * numbers: those beyond a double keep all their digits.
 */
export function indentJson(compact: string): string {
  let depth = 0
  let text = ''
  for (const [token] of compact.matchAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]|[^"{}[\],:]+/g)) {
    if (token === '}' || token === ']') text += lineBreak(--depth)
    text += token === ':' ? ': ' : token
    if (token === '{' || token === '[') text += lineBreak(++depth)
    if (token === ',') text += lineBreak(depth)
  }
  return text
}

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(depth)}`
}
