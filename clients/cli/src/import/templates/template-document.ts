/** A line of a text with its offsets. */
interface Line {
  /** Without its line end. */
  readonly text: string
  readonly start: number
  /** After its line end. */
  readonly end: number
  /** From 1. */
  readonly number: number
}

/** The lines of `source` or `sources` in a document of a template. */
export interface SourceBlock {
  readonly key: 'source' | 'sources'
  /** The blanks before the key. */
  readonly indentation: number
  readonly lines: readonly Line[]
}

/** A document of a Go template that makes Applications. */
export interface TemplateDocument {
  /** The line of its kind, from 1. */
  readonly line: number
  /** The name as the template makes it, without quotes, such as `{{ .Values.name }}`. */
  readonly name: string
  /** The offset of the line of `spec`. */
  readonly spec: number
  /** Absent if it is not written out. */
  readonly source?: SourceBlock
}

const blockStart = /\{\{-?\s*(?:if|with|range|define|block)\b/g
const blockEnd = /\{\{-?\s*end\b/g
const onlyActions = /^\s*\{\{.*\}\}\s*$/
const indentFunction = /\bn?indent\s+(\d+)/

/** Finds the documents of a template whose kind is Application, as far as their fields are written out. */
export function templateDocuments(text: string): TemplateDocument[] {
  const documents: Line[][] = [[]]
  for (const line of linesOf(text)) {
    if (line.text.startsWith('---')) documents.push([])
    else documents.at(-1)?.push(line)
  }
  return documents.flatMap((lines) => documentOf(lines) ?? [])
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split(/(?<=\n)/).map((whole, index) => {
    const line = { text: whole.replace(/\r?\n$/, ''), start, end: start + whole.length, number: index + 1 }
    start = line.end
    return line
  })
}

function documentOf(lines: readonly Line[]): TemplateDocument | undefined {
  const find = (pattern: RegExp): number => lines.findIndex(({ text }) => pattern.test(text))
  const kind = lines[find(/^kind:\s*["']?Application["']?\s*(?:#.*)?$/)]
  const spec = find(/^spec:\s*(?:#.*)?$/)
  const metadata = find(/^metadata:\s*(?:#.*)?$/)
  const specLine = lines[spec]
  if (!kind || !specLine || metadata < 0 || find(/^apiVersion:\s*["']?argoproj\.io\/v1alpha1/) < 0) {
    return undefined
  }
  const [name] = childrenOf(lines, metadata).flatMap(
    ({ text }) => /^\s*name:\s*(\S.*)$/.exec(text)?.[1] ?? [],
  )
  if (name === undefined) return undefined
  const source = sourceOf(lines, spec)
  return { line: kind.number, name: unquoted(name.trim()), spec: specLine.start, ...(source && { source }) }
}

/** The lines of the fields of a key without blanks before it, those of values left out. */
function childrenOf(lines: readonly Line[], parent: number): Line[] {
  const end = lines.findIndex(({ text }, index) => index > parent && /^[^\s#{]/.test(text))
  const inside = lines.slice(parent + 1, end < 0 ? undefined : end)
  const width = indentationOf(inside.find(({ text }) => isContent(text))?.text ?? '')
  return inside.filter(({ text }) => isContent(text) && indentationOf(text) === width)
}

function sourceOf(lines: readonly Line[], spec: number): SourceBlock | undefined {
  for (const line of childrenOf(lines, spec)) {
    const key = /^\s+(sources?):\s*(?:#.*)?$/.exec(line.text)?.[1]
    if (key !== 'source' && key !== 'sources') continue
    const indentation = indentationOf(line.text)
    const after = lines.slice(lines.indexOf(line) + 1)
    return { key, indentation, lines: [line, ...after.slice(0, blockLength(after, indentation, key))] }
  }
  return undefined
}

/** The number of lines that are deeper than a key, with all actions that begin and end among them. */
function blockLength(lines: readonly Line[], indentation: number, key: string): number {
  let [length, depth] = [0, 0]
  for (const [index, { text }] of lines.entries()) {
    const ended = count(text, blockEnd)
    depth += count(text, blockStart) - ended
    if (depth < 0) break
    const isDeeper =
      indentationOf(text) > indentation ||
      (key === 'sources' && indentationOf(text) === indentation && /^\s*- /.test(text))
    if (isContent(text) && !isDeeper) break
    if (depth === 0 && (isContent(text) || ended > 0)) length = index + 1
  }
  return length
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** True for a line that gives text: no comment, and no action that only decides or repeats. */
function isContent(text: string): boolean {
  if (text.trim() === '' || /^\s*#/.test(text)) return false
  return !onlyActions.test(text) || indentFunction.test(text)
}

function indentationOf(text: string): number {
  const given = onlyActions.test(text) ? indentFunction.exec(text)?.[1] : undefined
  return given === undefined ? text.length - text.trimStart().length : Number(given)
}

/** A name by which other texts can be made, within quotes of their own. */
function unquoted(name: string): string {
  const inner = /^(["'])(.*)\1$/.exec(name)?.[2] ?? name
  return inner.replace(/\s*\|\s*s?quote\s*(-?\}\})/g, ' $1')
}
