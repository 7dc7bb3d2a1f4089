import { machineCache } from '@wadi/testing/machine-cache.ts'

/** The release of Debian, and its packages beside the essential ones. */
export const debian = {
  suite: 'trixie',
  packages: ['ca-certificates', 'git', 'libatomic1', 'nodejs', 'npm'],
} as const

/** Returns the archive of the root directory that `npm run build:debian` makes. */
export function debianRootFile(): string {
  return machineCache(`debian-${debian.suite}-${debian.packages.join('-')}.tar`)
}
