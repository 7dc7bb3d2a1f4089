import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collectGarbage: (() => void) | undefined

/** Bytes that this process keeps after a garbage collection. */
export function heldBytes(): number {
  if (collectGarbage === undefined) {
    setFlagsFromString('--expose_gc')
    collectGarbage = runInNewContext('gc')
  }
  collectGarbage?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Milliseconds of processor time that this process has used. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
