import path from 'node:path'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { fileNameTokens, isFileNameWild } from './file-name-pattern.ts'
import { globTokens, isGlobWild } from './glob-pattern.ts'
import { type Positions, type Token, advance, firstPositions, isMatch } from './wildcard.ts'

/** Lists a folder by its path relative to the application's directory, `''` itself; undefined when there is no such folder. */
export type ListFolder = (
  path: string,
) => Promise<readonly { readonly name: string; readonly isDirectory: boolean }[] | undefined>

/** A pattern by which a plugin finds its applications. */
interface PatternRule {
  readonly by: 'fileName' | 'glob'
  readonly pattern: string
}

const maxPatternLength = 4096
const maxEntries = 100_000

/**
 * Whether a file or folder of the application matches the plugin's rule: `fileName` by the rules of Go's `filepath.Glob`,
 * `glob` by those of go-zglob. Only folders in which something may match are listed.
 *
 * @throws InvalidInputError for a pattern that is wrong or leads out of the application's directory.
 * @throws ResourceExhaustedError when the search looks at more than 100,000 entries.
 */
export async function matchesRule(rule: PatternRule, folder: ListFolder): Promise<boolean> {
  const pattern = cleanPattern(rule.pattern)
  if (pattern === '.') return (await folder('')) !== undefined
  const isWild = rule.by === 'fileName' ? isFileNameWild : isGlobWild
  const names = pattern.split('/')
  const wild = names.findIndex(isWild)
  const root = names.slice(0, wild === -1 ? -1 : wild).join('/')
  const rest = names.slice(wild === -1 ? -1 : wild).join('/')
  const choices = tokensOf(rule.by, rest, wild !== -1)
  // Go looks through links at a file name's pattern, go-zglob does not.
  const search: Search = { folder, choices, followsLinks: rule.by === 'fileName', looked: 0, rule }
  return anyMatch(search, root, choices.map(firstPositions))
}

function tokensOf(by: PatternRule['by'], pattern: string, isWild: boolean): Token[][] {
  if (!isWild) return [Array.from(pattern, (character) => ({ kind: 'character', character }))]
  return by === 'fileName' ? [fileNameTokens(pattern)] : globTokens(pattern)
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
  readonly folder: ListFolder
  readonly choices: readonly (readonly Token[])[]
  readonly followsLinks: boolean
  readonly rule: PatternRule
  looked: number
}

async function anyMatch(
  search: Search,
  directory: string,
  positions: readonly Positions[],
): Promise<boolean> {
  const { choices, rule } = search
  const entries = (await search.folder(directory)) ?? []
  search.looked += entries.length
  if (search.looked > maxEntries) {
    throw new ResourceExhaustedError(`discover: pattern "${rule.pattern}" looks at too many files; narrow it`)
  }
  const after = (from: readonly Positions[], text: string) =>
    choices.map((tokens, index) => advance(tokens, from[index] ?? new Set(), text))
  const below: [path: string, positions: Positions[]][] = []
  for (const { name, isDirectory } of entries) {
    const here = after(positions, name)
    if (choices.some((tokens, index) => isMatch(tokens, here[index] ?? new Set()))) return true
    if (!isDirectory && !search.followsLinks) continue
    const inside = after(here, '/')
    const child = directory === '' ? name : `${directory}/${name}`
    if (inside.some((set) => set.size > 0)) below.push([child, inside])
  }
  for (const [child, inside] of below) {
    if (await anyMatch(search, child, inside)) return true
  }
  return false
}
