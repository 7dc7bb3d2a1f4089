import { readdirSync, readFileSync } from 'node:fs'
import { isAlive } from './is-alive.ts'

/** The seconds for which programs of this process's tests sleep; those of other processes sleep for other times. */
export const ownSeconds = 1_000_000 + process.pid

/** Returns the processes that run `sleep` for `ownSeconds`, whoever started them. */
export function sleepers(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      return isAlive(Number(pid)) && command === `sleep\x00${ownSeconds}\0`
    } catch {
      return false
    }
  })
}
