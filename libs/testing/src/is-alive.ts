import { readFileSync } from 'node:fs'

/** True if a process of Linux exists and has not ended; a zombie has ended. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
