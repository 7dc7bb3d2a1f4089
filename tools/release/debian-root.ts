import { homedir } from 'node:os'
import path from 'node:path'

/** The release of Debian, and its packages beside the essential ones. */
export const debian = { suite: 'trixie', packages: ['ca-certificates', 'git', 'nodejs', 'npm'] } as const

/** Returns the archive of the root directory that `npm run build:debian` makes. */
export function debianRootFile(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache')
  return path.join(cache, 'wadi-test', `debian-${debian.suite}-${debian.packages.join('-')}.tar`)
}
