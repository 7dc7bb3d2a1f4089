import { Float } from '@wadi/params/values/value.ts'
import type { Value } from '@wadi/params/values/value.ts'
import { PathError } from './path-error.ts'

/** One step of a path of Kubernetes' JSONPath dialect. */
export type PathStep =
  | { type: 'field'; name: string }
  | { type: 'wildcard' }
  | { type: 'recursive' }
  | { type: 'slice'; start: number | undefined; end: number | undefined; stride: number; isIndex: boolean }
  | { type: 'union'; branches: readonly (readonly PathStep[])[] }
  | { type: 'filter'; left: readonly PathStep[]; operator: string; right: readonly PathStep[] }
  | { type: 'literal'; value: Value }
  | { type: 'identifier'; name: string }

/** Characters of a path; nobody writes one by hand that is longer. */
const maxPathLength = 4096

/**
 * Reads a path as Cartographer does: the dot in front and the braces around it may be left out.
 *
 * @throws PathError with the words of Kubernetes' parser.
 */
export function readPath(path: string): PathStep[] {
  if (path === '') throw new PathError('empty jsonpath not allowed')
  if (path.length > maxPathLength) throw new PathError(`a jsonpath may have ${maxPathLength} characters`)
  const opened = path.startsWith('{.') ? path : path.startsWith('.') ? `{${path}` : `{.${path}`
  const wrapped = opened.endsWith('}') ? opened : `${opened}}`
  const reader = new StepReader(wrapped, 1)
  try {
    const steps = reader.readAction()
    if (reader.rest() !== '') throw new PathError(`more queries than expected: ${reader.rest()}`)
    return steps
  } catch (error) {
    if (!(error instanceof PathError)) throw error
    throw new PathError(`evaluate: failed to parse jsonpath '${wrapped}': ${error.message}`)
  }
}

/** Reads the inside of an action that stands alone, as the sides of a filter do. */
function readInner(text: string): PathStep[] {
  return new StepReader(`${text}}`, 0).readAction()
}

const terminator = /[\s.,[\]$@{}]/
const dictionaryKey = /^'([^']*)'$/
const slice = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/
const comparison = /^([^!<>=]+)([!<>=~]+)(.+)$/

/** Walks through the text of an action once, from left to right. */
class StepReader {
  readonly #text: string
  #position: number

  constructor(text: string, position: number) {
    this.#text = text
    this.#position = position
  }

  rest(): string {
    return this.#text.slice(this.#position)
  }

  /** Reads up to the brace that closes the action. */
  readAction(): PathStep[] {
    const steps: PathStep[] = []
    for (;;) {
      const character = this.#text[this.#position]
      if (character === '}') {
        this.#position++
        return steps
      }
      if (character === undefined || character === '\n' || character === '\r')
        throw new PathError('unclosed action')
      if (this.#text.startsWith('[?(', this.#position)) steps.push(this.#readFilter())
      else if (this.#text.startsWith('..', this.#position)) steps.push(...this.#readRecursive(steps.at(-1)))
      else if (character === '[') steps.push(...this.#readBrackets())
      else if (character === '"' || character === "'") steps.push(this.#readQuoted(character))
      else if (character === '.') {
        this.#position++
        steps.push(this.#readField())
      } else if (/[-+\d]/.test(character)) steps.push(this.#readNumber())
      else if (/[\p{L}\p{Nd}_]/u.test(character)) steps.push(this.#readIdentifier())
      else if (/[ @$]/.test(character)) this.#position++
      else throw new PathError(`unrecognized character in action: ${codePointName(character)}`)
    }
  }

  #readField(): PathStep {
    const name = this.#readWord(true)
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') }
  }

  /** Reads up to a terminator; a backslash keeps the character after it from being one. */
  #readWord(canEscape: boolean): string {
    const start = this.#position
    for (; this.#position < this.#text.length; this.#position++) {
      const character = this.#text[this.#position] ?? ''
      if (canEscape && character === '\\') this.#position++
      else if (terminator.test(character)) break
    }
    this.#position = Math.min(this.#position, this.#text.length)
    return this.#text.slice(start, this.#position)
  }

  #readIdentifier(): PathStep {
    const name = this.#readWord(false)
    return name === 'true' || name === 'false'
      ? { type: 'literal', value: name === 'true' }
      : { type: 'identifier', name }
  }

  #readRecursive(before: PathStep | undefined): PathStep[] {
    if (before?.type === 'recursive') throw new PathError('invalid multiple recursive descent')
    this.#position += 2
    const isName = /[\p{L}\p{Nd}_]/u.test(this.#text[this.#position] ?? '')
    return isName ? [{ type: 'recursive' }, this.#readField()] : [{ type: 'recursive' }]
  }

  #readNumber(): PathStep {
    const text = /^[-+]?[\d.]*/.exec(this.rest())?.[0] ?? ''
    this.#position += text.length
    const value = Number(text)
    if (!/\d/.test(text) || Number.isNaN(value)) throw new PathError(`cannot parse number ${text}`)
    return { type: 'literal', value: text.includes('.') ? new Float(value) : value }
  }

  #readQuoted(quote: string): PathStep {
    const start = this.#position
    do this.#position = this.#text.indexOf(quote, this.#position + 1)
    while (this.#position > 0 && this.#text[this.#position - 1] === '\\')
    if (this.#position === -1) throw new PathError('unterminated quoted string')
    this.#position++
    const inner = this.#text.slice(start + 1, this.#position - 1)
    return { type: 'literal', value: inner.replaceAll(/\\(.)/g, (_, escaped: string) => unescape(escaped)) }
  }

  #readFilter(): PathStep {
    const start = this.#position + 3
    const end = this.#endOfFilter(start)
    if (this.#text[end + 1] !== ']') throw new PathError('unclosed array expect ]')
    this.#position = end + 2
    const text = this.#text.slice(start, end)
    const [, left, operator = '', right = ''] = comparison.exec(text) ?? []
    if (left === undefined) return { type: 'filter', left: readInner(text), operator: 'exists', right: [] }
    return { type: 'filter', left: readInner(left), operator, right: readInner(right) }
  }

  /** Returns where the parenthesis is that closes a filter: the first one outside of its quoted text. */
  #endOfFilter(start: number): number {
    let quote: string | undefined
    let isClosed = false
    for (let position = start; position < this.#text.length; position++) {
      const character = this.#text[position]
      if (character === '\n') break
      if (character === ')' && (quote === undefined) !== isClosed) return position
      if (character !== '"' && character !== "'") continue
      if (quote === undefined) quote = character
      else if (character === quote && this.#text[position - 1] !== '\\') isClosed = true
    }
    throw new PathError('unterminated filter')
  }

  #readBrackets(): PathStep[] {
    const end = this.#text.indexOf(']', this.#position)
    if (end === -1) throw new PathError('unterminated array')
    const text = this.#text.slice(this.#position + 1, end)
    this.#position = end + 1
    const parts = text.split(',')
    if (parts.length > 1) {
      return [{ type: 'union', branches: parts.map((part) => readInner(`[${part.trim()}]`)) }]
    }
    const key = dictionaryKey.exec(text)?.[1]
    return key === undefined ? [readSlice(text)] : readInner(`.${key}`)
  }
}

function readSlice(text: string): PathStep {
  if (text === '*') return { type: 'slice', start: undefined, end: undefined, stride: 1, isIndex: false }
  const [matched, start, end, stride] = slice.exec(text) ?? []
  if (matched === undefined) throw new PathError(`invalid array index ${text}`)
  const isIndex = end === undefined
  const first = boundary(start)
  const step = boundary(stride) ?? 1
  if (step <= 0) throw new PathError('step must be > 0')
  const last = isIndex ? (first ?? 0) + 1 : boundary(end)
  return { type: 'slice', start: first, end: last, stride: step, isIndex }
}

function boundary(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (text === '-' || text.length > 15) throw new PathError(`array index ${text} is not a number`)
  return Number(text)
}

function unescape(character: string): string {
  return { n: '\n', t: '\t', r: '\r' }[character] ?? character
}

function codePointName(character: string): string {
  const number = character.codePointAt(0) ?? 0
  return `U+${number.toString(16).toUpperCase().padStart(4, '0')} '${character}'`
}
