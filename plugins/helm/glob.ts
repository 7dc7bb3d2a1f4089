import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from './user-error.ts'
import { type Repository, resolved } from './repository.ts'

/** Most `*` in one pattern; matching takes time that grows with their number. */
const maxStars = 10

/** Whether a path is a pattern. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path)
}

/** The files that match a pattern, sorted; `**` crosses folders, names with a leading dot match too. */
export function expandGlob({ root }: Repository, pattern: string): string[] {
  if (pattern.split('*').length > maxStars) {
    throw new UserError(`pattern "${pattern}" has more than ${maxStars} "*"; make it simpler`)
  }
  const parts = pattern.split('/')
  const base = parts.slice(0, parts.findIndex(isGlob)).join('/')
  const matches = globExpression(pattern)
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return entry.name === '.git' ? [] : walk(path)
      return matches.test(path) ? [path] : []
    })
  // A folder behind a link is not searched, as it may be anywhere.
  const isFolder = base === '' || resolved(join(root, base)) === join(root, base)
  return isFolder ? walk(base).toSorted((a, b) => (a < b ? -1 : 1)) : []
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
