import { homedir } from 'node:os'
import path from 'node:path'

/** Returns the place of what a machine builds once for its tests: in the cache of the user, for all clones. */
export function machineCache(name: string): string {
  return path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'wadi-test', name)
}
