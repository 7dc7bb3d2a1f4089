/** A file that a Jsonnet text imports. */
export interface JsonnetImport {
  readonly keyword: string
  readonly name: string
}

/** The starts of comments, strings and imports; the first line of a text block ends with its line break. */
const tokenStart = /\/\/|#|\/\*|\|\|\|-?[ \t\r]*\n|@?["']|\b(?:importstr|importbin|import)\b/g

/**
 * Finds the imports of a Jsonnet text, whose names can be nothing but literals. What looks like one in a comment or within a string is
 * none. A comment, string or block without an end ends the search: such a text cannot be evaluated.
 */
export function* scanJsonnetImports(text: string): Generator<JsonnetImport> {
  let keyword = ''
  const starts = new RegExp(tokenStart)
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const [token] = found
    if (token.startsWith('import')) {
      keyword = token
      continue
    }
    const start = starts.lastIndex
    const end = endOf(text, token, start)
    if (/["']$/.test(token)) {
      if (keyword !== '' && end <= text.length) yield { keyword, name: text.slice(start, end - 1) }
      keyword = ''
    }
    starts.lastIndex = end
    if (end > text.length) return
  }
}

/** The offset behind what a token begins, beyond the text where it has no end. */
function endOf(text: string, token: string, start: number): number {
  if (token === '//' || token === '#') return behind(text, '\n', start)
  if (token === '/*') return behind(text, '*/', start)
  if (token.startsWith('|||')) return endOfBlock(text, start)
  return token.startsWith('@') ? endOfVerbatim(text, token.slice(1), start) : endOfString(text, token, start)
}

function behind(text: string, end: string, start: number): number {
  const index = text.indexOf(end, start)
  return index === -1 ? text.length + 1 : index + end.length
}

function endOfString(text: string, quote: string, start: number): number {
  for (let index = start; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === quote) return index + 1
  }
  return text.length + 1
}

/** In such a string, a doubled quote stands for one. */
function endOfVerbatim(text: string, quote: string, start: number): number {
  let end = behind(text, quote, start)
  while (text[end] === quote) end = behind(text, quote, end + 1)
  return end
}

/** A block ends with the first line that is not indented as its first line is, which begins with its mark. */
function endOfBlock(text: string, start: number): number {
  const lines = /([ \t]*)([^\n]*)(?:\n|$)/y
  lines.lastIndex = start
  let indent: string | undefined
  while (lines.lastIndex < text.length) {
    const at = lines.lastIndex
    const [line = '', space = '', rest = ''] = lines.exec(text) ?? []
    if (rest.trim() === '') continue
    indent ??= space
    if (line.startsWith(indent) && indent !== '') continue
    return rest.startsWith('|||') ? at + space.length + 3 : text.length + 1
  }
  return text.length + 1
}
