/** A name in a template that stands where a function can. */
export interface TemplateWord {
  readonly name: string
  /** Index in the text; for one in a text inside an action, that of the text. */
  readonly offset: number
  /** True if it is in a text that is itself a template, as `tpl` takes it. */
  readonly isQuoted: boolean
}

/** Templates in texts in templates, which are looked into. */
const deepestText = 3

const quotes = new Set(['"', "'", '`'])

/**
 * The names of each action of a Go template, `{{ … }}`, in the order of the text: fields, variables, comments and plain
 * texts are not names. Takes any text, as what is not a template has no actions, in time that grows with its length alone.
 */
export function* actionWords(text: string, depth = 0): Generator<TemplateWord[]> {
  const token = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|["'`]|\}\}|(?<![\w.$])[A-Za-z_]\w*/g
  let start = text.indexOf('{{')
  while (start !== -1) {
    const comment = /^(?:-\s)?\s{0,8}\/\*/.exec(text.slice(start + 2, start + 14))
    if (comment !== null) {
      const end = text.indexOf('*/', start + 2 + comment[0].length)
      if (end === -1) return
      start = text.indexOf('{{', end)
      continue
    }
    const words: TemplateWord[] = []
    token.lastIndex = start + 2
    let next = text.length
    for (let found = token.exec(text); found !== null; found = token.exec(text)) {
      const [name] = found
      if (name === '}}') {
        next = token.lastIndex
        break
      }
      if (!quotes.has(name.charAt(0))) words.push({ name, offset: found.index, isQuoted: false })
      else if (name.length === 1) {
        // A text without its end is not a template, or not on this line.
        const lineEnd = name === '`' ? -1 : text.indexOf('\n', found.index)
        next = lineEnd === -1 ? text.length : lineEnd
        break
      } else if (depth < deepestText && name.includes('{{')) {
        const inner = name.startsWith('`') ? name : name.replaceAll(/\\(.)/g, '$1')
        for (const quoted of actionWords(inner.slice(1, -1), depth + 1)) {
          words.push(...quoted.map((word) => ({ ...word, offset: found.index, isQuoted: true })))
        }
      }
    }
    if (words.length > 0) yield words
    start = text.indexOf('{{', next)
  }
}
