import path from 'node:path'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { compileAutomaton } from '@wadi/patterns/automaton.ts'
import type { Automaton, Positions } from '@wadi/patterns/automaton.ts'
import { parseGoFileMatch } from '@wadi/patterns/go-file-match.ts'
import { literally } from '@wadi/patterns/pattern-node.ts'
import type { PatternNode } from '@wadi/patterns/pattern-node.ts'
import { parseZglob } from '@wadi/patterns/zglob.ts'

/** Lists a directory by its path relative to the application's directory, `''` itself; undefined when there is no such directory. */
export type ListDirectory = (
  path: string,
) => Promise<readonly { readonly name: string; readonly isDirectory: boolean }[] | undefined>

/** A pattern by which a plugin finds its applications. */
interface PatternRule {
  readonly by: 'fileName' | 'glob'
  readonly pattern: string
}

const maxPatternLength = 4096
const maxEntries = 100_000

/** The characters that make a name of a pattern match several; without them, all characters of a go-zglob pattern are literal. */
const wildcards = { fileName: /[*?[\\]/, glob: /[*{]/ }

/**
 * True if a file or directory of the application matches the plugin's rule: `fileName` by the rules of Go's
 * `filepath.Glob`, `glob` by those of go-zglob. Only directories in which something may match are listed.
 *
 * @throws InvalidInputError for a pattern that is wrong or leads out of the application's directory.
 * @throws ResourceExhaustedError when the search looks at more than 100,000 entries.
 */
export async function matchesRule(rule: PatternRule, list: ListDirectory): Promise<boolean> {
  const pattern = cleanPattern(rule.pattern)
  if (pattern === '.') return (await list('')) !== undefined
  const names = pattern.split('/')
  const wild = names.findIndex((name) => wildcards[rule.by].test(name))
  const root = names.slice(0, wild === -1 ? -1 : wild).join('/')
  const rest = names.slice(wild === -1 ? -1 : wild).join('/')
  const automaton = compileAutomaton(wild === -1 ? literally(rest) : parse({ ...rule, pattern: rest }))
  // Go looks through links at a file name's pattern, go-zglob does not.
  const search: Search = { list, automaton, followsLinks: rule.by === 'fileName', looked: 0, rule }
  return anyMatch(search, root, automaton.start)
}

/** @throws InvalidInputError in Argo CD's words for a file name that Go cannot read */
function parse({ by, pattern }: PatternRule): PatternNode {
  if (by === 'glob') return parseZglob(pattern)
  try {
    return parseGoFileMatch(pattern)
  } catch (cause) {
    throw new InvalidInputError(
      `error finding filename match for pattern ${JSON.stringify(pattern)}: syntax error in pattern`,
      { cause },
    )
  }
}

/** Cleaned as Go's `path.Join` does it below the application's directory. */
function cleanPattern(pattern: string): string {
  const clean = path.posix.normalize(pattern).replace(/(?<=.)\/$/, '')
  if (clean === '..' || clean.startsWith('../') || clean.startsWith('/')) {
    throw new InvalidInputError(`discover: pattern "${pattern}" leads out of the application's directory`)
  }
  if (clean.length > maxPatternLength) {
    throw new InvalidInputError(`discover: a pattern is longer than ${maxPatternLength} characters`)
  }
  return clean
}

interface Search {
  readonly list: ListDirectory
  readonly automaton: Automaton
  readonly followsLinks: boolean
  readonly rule: PatternRule
  looked: number
}

async function anyMatch(search: Search, directory: string, positions: Positions): Promise<boolean> {
  const { automaton, rule } = search
  const entries = (await search.list(directory)) ?? []
  search.looked += entries.length
  if (search.looked > maxEntries) {
    throw new ResourceExhaustedError(`discover: pattern "${rule.pattern}" looks at too many files; narrow it`)
  }
  const below: [path: string, positions: Positions][] = []
  for (const { name, isDirectory } of entries) {
    const here = automaton.advance(positions, name)
    if (here.isMatch) return true
    if (!isDirectory && !search.followsLinks) continue
    const inside = automaton.advance(here, '/')
    const child = directory === '' ? name : `${directory}/${name}`
    if (inside.states.length > 0) below.push([child, inside])
  }
  for (const [child, inside] of below) {
    if (await anyMatch(search, child, inside)) return true
  }
  return false
}
