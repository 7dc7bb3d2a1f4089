import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { programVersion } from './program-version.ts'

const programRoot = join(import.meta.dirname, '../../../..')

let own: string | undefined

/** The identity of the code that runs, as it was when it was first asked for. */
export function ownIdentity(): string {
  return (own ??= programIdentity(programRoot))
}

/**
 * Returns a text that is another one when the code that decides results may be. It is the version; in a checkout of git, whose code
 * changes between versions, also the number of the libraries' files and the newest of their times.
 * @internal
 */
export function programIdentity(root: string): string {
  if (!existsSync(join(root, '.git'))) return programVersion
  let count = 0
  let newest = 0
  for (const library of readdirSync(join(root, 'libs'))) {
    const sources = join(root, 'libs', library, 'src')
    for (const path of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (path.endsWith('.test.ts')) continue
      count++
      newest = Math.max(newest, statSync(join(sources, path)).mtimeMs)
    }
  }
  return `${programVersion} ${count} ${newest}`
}
