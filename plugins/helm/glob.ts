import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from './user-error.ts'
import { type Repository, resolved } from './repository.ts'

/** Most `*` in one pattern; matching takes time that grows with their number. */
const maxStars = 10

/** Most entries that one pattern looks at. */
const maxEntries = 50_000

/** Returns true if a path is a pattern. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

/**
 * The files that match a pattern, in the order of doublestar: those of a directory before those of its subdirectories, with `**`
 * at the end directories where their names are, with braces by whole paths. `**` crosses directories, also those behind links inside
 * the repository; names with a leading dot match too.
 */
export function expandGlob({ root }: Repository, pattern: string): string[] {
  if (pattern.split('*').length > maxStars) {
    throw new UserError(`pattern "${pattern}" has more than ${maxStars} "*"; make it simpler`)
  }
  const parts = pattern.split('/')
  const base = parts.slice(0, parts.findIndex(isGlob)).join('/')
  const matches = globExpression(pattern)
  let looked = 0
  const walk = (directory: string, chain: readonly string[]): string[] => {
    const groups: string[][] = [[], []]
    for (const name of readdirSync(join(root, directory)).toSorted(byBytes)) {
      if ((looked += 1) > maxEntries) {
        throw new UserError(`pattern "${pattern}" looks through more than ${maxEntries} files`)
      }
      if (name === '.git') continue
      const path = directory === '' ? name : `${directory}/${name}`
      const inner = directoryAt(root, path)
      const group = groups[inner === undefined || pattern.endsWith('/**') ? 0 : 1]
      if (inner === undefined) group?.push(...(matches.test(path) ? [path] : []))
      else if (chain.some((above) => `${above}/`.startsWith(`${inner}/`))) {
        throw new UserError(
          `pattern "${pattern}": "${path}" leads to a directory that holds it; remove the link`,
        )
      } else group?.push(...walk(path, [...chain, inner]))
    }
    return groups.flat()
  }
  const start = directoryAt(root, base)
  const found = start === undefined ? [] : walk(base, [start])
  return pattern.includes('{') ? found.toSorted(byBytes) : found
}

/** The directory without links that a path leads to; undefined for a file, and for what is outside of the root. */
function directoryAt(root: string, path: string): string | undefined {
  const target = resolved(join(root, path))
  const isInside = target !== undefined && `${target}/`.startsWith(`${root}/`)
  return isInside && statSync(target).isDirectory() ? target : undefined
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function globExpression(pattern: string): RegExp {
  const token = /(?<=^|\/)\*\*\/|(?<=^|\/)\*\*$|\*+|\?|\[([!^]?)([^\]/]+)\]|[{},]|[^\w/]/g
  let depth = 0
  const source = pattern.replaceAll(token, (found, negation?: string, letters?: string) => {
    if (found === '**/') return '(?:.*/)?'
    if (found === '**') return '.*'
    if (found.startsWith('*')) return '[^/]*'
    if (found === '?') return '[^/]'
    if (letters !== undefined) return `[${negation === '' ? '' : '^/'}${letters.replaceAll('[', '\\[')}]`
    if (found === '{') depth += 1
    if (depth > 0 && found === '{') return '(?:'
    if (depth > 0 && found === ',') return '|'
    if (depth > 0 && found === '}') {
      depth -= 1
      return ')'
    }
    return `\\${found}`
  })
  try {
    return new RegExp(`^${source}$`)
  } catch (cause) {
    throw new UserError(`"${pattern}" is not a pattern; correct its brackets and braces`, { cause })
  }
}
