import { totalmem } from 'node:os'
import { sizeText } from './size-text.ts'

const mebibyte = 2 ** 20

/** The memory that a service takes beside the programs that it runs; at rest it is half of that. */
export const serviceMemoryBytes = 256 * mebibyte

/** Returns the limit of the memory of this container, in bytes; undefined where nothing but the machine limits it. */
export function containerMemory(): number | undefined {
  const bytes = process.constrainedMemory()
  return bytes > 0 && bytes < totalmem() ? bytes : undefined
}

/** The memory of one run, and the ways to allow more. */
export interface RunMemory {
  readonly bytes: number
  /** The bound, for people, such as `WADI_RENDER_MEMORY`. */
  readonly boundBy: string
  /** The way to allow more, such as `set WADI_RENDER_MEMORY`. */
  readonly remedy: string
}

/**
 * Returns the memory that one run may take: as much as the setting says, or less where the container leaves less beside the service. A run that
 * takes more is then ended by itself, and not the service with it.
 */
export function runMemory(setBytes: number, setting: string, limitBytes = containerMemory()): RunMemory {
  const left = limitBytes === undefined ? Infinity : limitBytes - Math.min(serviceMemoryBytes, limitBytes / 2)
  if (setBytes <= left) return { bytes: setBytes, boundBy: setting, remedy: `set ${setting} to allow more` }
  const limit = sizeText(limitBytes ?? 0)
  return {
    bytes: Math.floor(left / mebibyte) * mebibyte,
    boundBy: `what the memory limit of the container, ${limit}, leaves`,
    remedy: `raise the memory limit of the container, ${limit}, which leaves no more`,
  }
}
