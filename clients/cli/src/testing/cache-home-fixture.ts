import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { toolCache } from '@wadi/testing/tool-cache.ts'

/** Makes an `XDG_CACHE_HOME` that has nothing but the renderers that tests share; returns the directory of what Wadi keeps in it. */
export async function makeCacheHome(parent: string): Promise<string> {
  const directory = join(parent, 'wadi')
  await mkdir(directory, { recursive: true })
  await mkdir(toolCache, { recursive: true })
  await symlink(toolCache, join(directory, 'tools'))
  return directory
}
