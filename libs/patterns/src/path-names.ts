import type { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { anyText, literally, optional } from './pattern-node.ts'
import type { PatternNode } from './pattern-node.ts'

/** Makes the error that says what is wrong with a pattern. */
export type Refuse = (reason: string) => InvalidInputError

/** Splits a pattern at each `/` outside of classes; `\` before a character takes it as it is. */
export function splitNames(pattern: string): string[] {
  const names: string[] = []
  let start = 0
  let inClass = false
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]
    if (character === '\\') at += 1
    else if (character === '[') inClass = true
    else if (character === ']') inClass = false
    else if (character === '/' && !inClass) {
      names.push(pattern.slice(start, at))
      start = at + 1
    }
  }
  return [...names, pattern.slice(start)]
}

/** Puts the names of a path pattern together, with a `/` between them; `**` is any number of names, also none. */
export function joinNames(names: readonly (PatternNode | '**')[]): PatternNode {
  const distinct = names.filter((name, index) => name !== '**' || names[index - 1] !== '**')
  const slash = literally('/')
  const parts: PatternNode[] = []
  let hasName = false
  for (const [index, name] of distinct.entries()) {
    if (name !== '**') {
      parts.push(...(hasName ? [slash, name] : [name]))
      hasName = true
    } else if (hasName) parts.push(optional({ kind: 'sequence', parts: [slash, anyText] }))
    else if (index === distinct.length - 1) parts.push(anyText)
    else parts.push(optional({ kind: 'sequence', parts: [anyText, slash] }))
  }
  return { kind: 'sequence', parts }
}
