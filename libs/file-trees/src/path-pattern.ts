import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileAutomaton } from '@wadi/patterns/automaton.ts'
import type { Automaton } from '@wadi/patterns/automaton.ts'
import { parseGoFileMatch } from '@wadi/patterns/go-file-match.ts'

const maxPatternLength = 1024

/**
 * Compiles a pattern of the dialect that `list-paths.ts` describes, for paths that are read name by name.
 * @param kind in those of files the name `**` is any number of names; in those of directories it is `*`, as in Argo CD
 * @throws InvalidInputError that quotes the pattern and says what is wrong with it
 */
export function compilePathPattern(text: string, kind: 'directories' | 'files'): Automaton {
  const refuse = (reason: string) =>
    new InvalidInputError(`pattern ${JSON.stringify(text.slice(0, 200))} ${reason}`)
  if (text.length > maxPatternLength) throw refuse(`has more than ${maxPatternLength} characters`)
  const pattern = parseGoFileMatch(text, kind === 'files' ? 'any' : 'one')
  for (const name of text.split('/')) {
    if (name === '') throw refuse('has an empty name: write it without a "/" at its ends or a double one')
    if (name === '.' || name === '..') throw refuse(`has the name "${name}": write it from the root on`)
  }
  return compileAutomaton(pattern)
}
