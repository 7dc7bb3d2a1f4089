const quotationMark = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const [bracket, closingBracket] = ['['.charCodeAt(0), ']'.charCodeAt(0)]
const [brace, closingBrace] = ['{'.charCodeAt(0), '}'.charCodeAt(0)]

/**
 * True if the lists and objects of a JSON text are nested deeper than `maxDepth`. Ask before reading foreign input:
 * functions that call themselves for each level run out of stack.
 */
export function isNestedDeeper(text: string, maxDepth: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (character === quotationMark) isInString = !isInString
    else if (isInString) {
      if (character === backslash) index += 1
    } else if (character === brace || character === bracket) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (character === closingBrace || character === closingBracket) depth -= 1
  }
  return false
}
