import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { mountOf, mountPoints } from './mount-points.ts'

/** Why a file that is there cannot be executed, and what to do; undefined when it can be, or when there is none. */
export function notExecutableBecause(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK)
    return undefined
  } catch (error) {
    if (!isDenied(error)) return undefined
  }
  try {
    // A privileged user may execute every file that anybody may.
    if ((statSync(file).mode & 0o111) === 0) return 'nobody may execute it; run chmod +x on it'
    const mount = mountOf(mountPoints(), realpathSync(file))
    if (mount?.options.includes('noexec'))
      return `${mount.point} is mounted noexec; mount it without noexec, or use a program elsewhere`
  } catch (error) {
    if (!isDenied(error)) throw error
  }
  return 'its permissions, or those of a directory that it is in, forbid it to the user of this process'
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EACCES'
}
