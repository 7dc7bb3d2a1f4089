import { type ValuePath, setName } from '@wadi/params/values/set-name.ts'

/** The explanations of values in the comments of a values.yaml. */
export interface ValueComments {
  /** Returns that of a value; empty if there is none. `line` is the line of its key, from 1; the path is that in the file. */
  at(path: ValuePath, line: number): string
}

/** `## @param image.tag [string, nullable] Tag of the image`, as Bitnami's charts have it. */
const namedParameter = /^@(?:param|extra)\s+(\S+)\s*(?:\[[^\]]*\])?\s*(.*)$/s
/** `# image.tag -- Tag of the image`, as helm-docs reads it anywhere in the file. */
const namedDescription = /^([\w."'\\[\]/-]+) -- (.*)$/s
/** `# -- (string) Tag of the image`, above its key. */
const description = /^--(?:\s+|$)(?:\([^)]*\)\s*)?(.*)$/s
const annotation = /^@\w+/
/** A value that is commented out. */
const code = /^(?:- |-$|[\w."'/-]+:(?:\s|$)|[[{}\]])/
/** A line that only separates. */
const separator = /^[-=#*~_\s]*$/

/** Reads the annotations of helm-docs and of Bitnami, else the plain comments right above keys and behind values. */
export function valueComments(text: string): ValueComments {
  const lines = text.split(/\r?\n/)
  const named = namedComments(lines)
  const near = new Map<number, string>()
  return {
    at: (path, line) =>
      named.get(setName(path)) ??
      // Any number of keys may be on one line.
      near.getOrInsertComputed(
        line,
        () => annotatedAbove(lines, line) ?? plainAbove(lines, line) ?? behind(lines[line - 1]),
      ),
  }
}

function namedComments(lines: readonly string[]): Map<string, string> {
  const named = new Map<string, string>()
  for (const [index, line] of lines.entries()) {
    const comment = commentOf(line)
    if (comment === undefined) continue
    const [, parameter, about = ''] = namedParameter.exec(comment) ?? []
    if (parameter !== undefined) named.set(parameter, about)
    const [, key, begin = ''] = namedDescription.exec(comment) ?? []
    if (key !== undefined && !named.has(key))
      named.set(key, [begin, ...continued(lines, index + 1)].join(' '))
  }
  return named
}

/** The lines of a description that goes on, up to an annotation or the next one. */
function continued(lines: readonly string[], start: number): string[] {
  const more: string[] = []
  for (let index = start; index < lines.length; index += 1) {
    const comment = commentOf(lines[index] ?? '')
    if (comment === undefined || annotation.test(comment) || isDescription(comment)) return more
    if (comment !== '') more.push(comment)
  }
  return more
}

function isDescription(comment: string): boolean {
  return description.test(comment) || namedDescription.test(comment)
}

function annotatedAbove(lines: readonly string[], line: number): string | undefined {
  for (let index = line - 2; index >= 0; index -= 1) {
    const comment = commentOf(lines[index] ?? '')
    if (comment === undefined) return undefined
    const [, begin] = description.exec(comment) ?? []
    if (begin !== undefined) return [begin, ...continued(lines, index + 1)].join(' ').trim()
  }
  return undefined
}

/** The last paragraph of the comments right above a key, as far as it is no commented-out value. */
function plainAbove(lines: readonly string[], line: number): string | undefined {
  const key = lines[line - 1] ?? ''
  const upwards: string[] = []
  for (let index = line - 2; index >= 0; index -= 1) {
    const above = lines[index] ?? ''
    const comment = commentOf(above)
    if (comment === undefined || comment === '' || indentation(above) !== indentation(key)) break
    upwards.push(comment)
  }
  const paragraph = upwards.toReversed()
  const begin =
    paragraph.findLastIndex(
      (comment) => annotation.test(comment) || namedDescription.test(comment) || separator.test(comment),
    ) + 1
  const words = paragraph.slice(begin)
  const end = words.findIndex((comment) => code.test(comment))
  const said = end === -1 ? words : words.slice(0, end)
  return said.length === 0 ? undefined : said.join(' ')
}

/** The comment behind a plain value or a key, cut by hand: an expression for all of it goes over long runs of spaces again and again. */
function behind(line = ''): string {
  const [key] = /^\s*[\w./-]+:/.exec(line) ?? []
  if (key === undefined) return ''
  const rest = line.slice(key.length)
  const [quoted = ''] = /^\s+(?:"[^"]*"|'[^']*')/.exec(rest) ?? []
  const start = rest.indexOf('#', quoted.length)
  if (start === -1) return ''
  const before = rest.slice(quoted.length, start)
  const isSpace = before.trim() === ''
  const isPlain = quoted === '' && /^\s/.test(before) && !/["']|^\s+[|>]/.test(before)
  if (before.trimEnd() === before || !(isSpace || isPlain)) return ''
  const comment = rest.slice(start).replace(/^#+/, '')
  return comment.trimStart() === comment ? '' : comment.trim()
}

function commentOf(line: string): string | undefined {
  const trimmed = line.trim()
  return trimmed.startsWith('#') ? trimmed.replace(/^#+/, '').trim() : undefined
}

function indentation(line: string): number {
  return line.length - line.trimStart().length
}
