import { readFileSync } from 'node:fs'

/** Whether a process of Linux is there and has not ended; one that waits for its parent to take note has. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
