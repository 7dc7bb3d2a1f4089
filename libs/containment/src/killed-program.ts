import { ProgramKilledError, ResourceExhaustedError, TimeLimitError } from '@wadi/errors/domain-error.ts'
import { containerMemory, type RunMemory } from './container-memory.ts'
import { signalNumber } from './signal-names.ts'
import { sizeText } from './size-text.ts'

/** The end of a program, as far as limits are concerned. */
export interface ProgramEnd {
  /** The name of the program in messages. */
  readonly shownAs: string
  readonly signal: NodeJS.Signals | undefined
  readonly exitCode: number
  /** The kernel killed it, or one that it started, because their memory was used up. */
  readonly wasOutOfMemory: boolean
  /** The most processor time that it was seen with. */
  readonly cpuSeconds: number
  /** Its error output. */
  readonly errorOutput: string
}

/** The limits that a program was given, and how people change them. */
export interface GivenLimits {
  readonly memory: RunMemory
  readonly cpuSeconds: number
  /** True if processes fail to get more memory instead of being killed. */
  readonly boundsData: boolean
}

/** The messages by which runtimes and programs report that they got no more memory. */
const memoryWords =
  /out of memory|cannot allocate memory|memory allocation .*failed|std::bad_alloc|MemoryError/i

/** The error of a program that used up its memory. */
export function memoryExcess(
  shownAs: string,
  { memory: { bytes, remedy } }: GivenLimits,
): ResourceExhaustedError {
  return new ResourceExhaustedError(
    `${shownAs} was killed because it used more than ${sizeText(bytes)} of memory; make its input smaller, or ${remedy}`,
  )
}

/** The error of a program that a limit or the system ended; undefined when it ended by itself, well or not. */
export function killedError(end: ProgramEnd, limits: GivenLimits): Error | undefined {
  const { shownAs, signal, exitCode, errorOutput } = end
  if (end.wasOutOfMemory) return memoryExcess(shownAs, limits)
  const failed = signal !== undefined || exitCode !== 0
  if (failed && limits.boundsData && memoryWords.test(errorOutput)) return memoryExcess(shownAs, limits)
  const usedUp = signal === 'SIGKILL' && end.cpuSeconds >= limits.cpuSeconds
  if (signal === 'SIGXCPU' || usedUp) {
    return new TimeLimitError(
      `${shownAs} was killed because it used more than ${limits.cpuSeconds} s of processor time; make its input simpler`,
    )
  }
  if (signal !== 'SIGKILL') return undefined
  const limit = containerMemory()
  const remedy =
    limit === undefined
      ? 'give the machine more memory'
      : `raise the memory limit of the container, ${sizeText(limit)},`
  return new ProgramKilledError(
    `${shownAs} was killed by signal ${signalNumber(signal)}, probably by the kernel's out-of-memory killer; ${remedy} or run fewer at a time`,
  )
}
