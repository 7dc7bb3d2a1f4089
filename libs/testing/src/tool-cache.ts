import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/** The `XDG_CACHE_HOME` of command lines that tests start. */
export const cacheHome = join(import.meta.dirname, '../../../node_modules/.cache')

/** The directory where tests and such command lines unpack the renderers that this machine lacks, once for all of them. */
export const toolCache = join(cacheHome, 'wadi/tools')

/** Lets the repo-server of a data directory find the renderers that an earlier test unpacked, which takes seconds. */
export async function shareToolCache(dataDirectory: string): Promise<void> {
  const directory = join(dataDirectory, 'repo-server')
  await mkdir(toolCache, { recursive: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await symlink(toolCache, join(directory, 'tools'))
}
