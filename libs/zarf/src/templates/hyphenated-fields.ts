/** A field chain that Go's lexer refuses, and how it was read. */
export interface HyphenatedField {
  /** As it is written, `.Values.my-component.resources`. */
  written: string
  /** The expression that it is read as, `(index .Values "my-component" "resources")`. */
  readAs: string
  /** From 1. */
  line: number
  /** From 1, in characters. */
  column: number
}

/** A template that Go can read. */
export interface ReadableTemplate {
  text: string
  fields: readonly HyphenatedField[]
}

/** A chain of fields, at its start: perhaps a variable, then names with a dot before each. */
const chainPattern = /(?:\$[\p{L}\p{N}_]*)?(?:\.[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*)+/uy
const word = /[\p{L}\p{N}_)\].]/u

/**
 * Returns a template in which field chains with hyphens are read as `index` with texts. Since Go refuses such chains, no
 * valid template changes its meaning. Comments, texts and everything outside of actions stay as they are.
 */
export function readHyphenatedFields(text: string): ReadableTemplate {
  const fields: HyphenatedField[] = []
  const parts: string[] = []
  let copied = 0
  let line = 1
  let lineStart = 0
  for (const [start, end] of actionsOf(text)) {
    for (const { index, chain } of chainsOf(text, start, end)) {
      for (
        let next = text.indexOf('\n', lineStart);
        next >= 0 && next < index;
        next = text.indexOf('\n', lineStart)
      ) {
        line += 1
        lineStart = next + 1
      }
      const readAs = asIndex(chain)
      parts.push(text.slice(copied, index), readAs)
      copied = index + chain.length
      fields.push({ written: chain, readAs, line, column: index - lineStart + 1 })
    }
  }
  return { text: parts.join('') + text.slice(copied), fields }
}

/** Goes through the insides of actions; comments are none. */
function* actionsOf(text: string): Iterable<[number, number]> {
  let position = text.indexOf('{{')
  while (position >= 0) {
    const start = position + 2
    if (/^(?:-\s)?\s*\/\*/.test(text.slice(start, start + 8))) {
      const end = text.indexOf('*/', start)
      position = end < 0 ? -1 : text.indexOf('{{', end)
      continue
    }
    const end = endOfAction(text, start)
    yield [start, end]
    position = text.indexOf('{{', end)
  }
}

function endOfAction(text: string, start: number): number {
  let index = start
  while (index < text.length && !text.startsWith('}}', index)) {
    index = afterToken(text, index)
  }
  return index
}

/** Returns the place after a text, or after one character of anything else. */
function afterToken(text: string, index: number): number {
  const quote = text[index]
  if (quote !== '"' && quote !== '`' && quote !== "'") {
    return index + 1
  }
  let end = index + 1
  while (end < text.length && text[end] !== quote) {
    if (quote !== '`' && text[end] === '\n') {
      return end
    }
    end += quote !== '`' && text[end] === '\\' ? 2 : 1
  }
  return end + 1
}

function* chainsOf(text: string, start: number, end: number): Iterable<{ index: number; chain: string }> {
  let index = start
  while (index < end) {
    const character = text[index]
    if (character === '$' || (character === '.' && !word.test(text[index - 1] ?? ''))) {
      chainPattern.lastIndex = index
      const [chain] = chainPattern.exec(text) ?? []
      if (chain?.includes('-') === true) {
        yield { index, chain }
      }
      index += Math.max(chain?.length ?? 1, 1)
    } else {
      index = afterToken(text, index)
    }
  }
}

function asIndex(chain: string): string {
  const [start = '', ...names] = chain.split('.')
  const first = names.findIndex((name) => name.includes('-'))
  const plain = [start, ...names.slice(0, first)].join('.')
  const keys = names.slice(first).map((name) => `"${name}"`)
  return `(index ${plain === '' ? '.' : plain} ${keys.join(' ')})`
}
