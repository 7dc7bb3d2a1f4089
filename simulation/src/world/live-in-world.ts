// It replaces functions of Node that other modules take at their start.
import { enterWorld } from '../virtual/virtual-node.ts'
import type { Random } from '../virtual/random.ts'
import type { Scheduler } from '../virtual/scheduler.ts'
import type { VirtualDisk } from '../virtual/virtual-disk.ts'

/** The end of a world. */
export interface WorldEnd {
  /** The broken promises, as sentences; none if all held. */
  readonly problems: readonly string[]
  readonly steps: number
  /** The virtual time, in milliseconds. */
  readonly milliseconds: number
  /** The number of times that it was disturbed and came to rest; one by default. */
  readonly rounds?: number
}

/** Hears of everything in a world: a step, a log line, a happening. */
export type Observer = (milliseconds: number, actor: string, text: string) => void

/** The parts of a world that its code lives in. */
interface LivedWorld {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly disk: VirtualDisk
  readonly observe: Observer
  /** Gets what must not happen; the world ends with the first. */
  readonly problems: string[]
  readonly begin: () => void
  /** Returns true if the world has come to its end. */
  readonly isOver: () => boolean
}

/** Lets a world live, step by step, until it is over or something is wrong. */
export async function liveInWorld(world: LivedWorld): Promise<WorldEnd> {
  const { scheduler, random, disk, observe, problems, begin, isOver } = world
  const log = (line: string): void => {
    const { msg, ...rest }: { msg?: string } = JSON.parse(line)
    // Traces have random numbers of their own.
    const {
      time: _time,
      service: _service,
      traceId: _trace,
      ...shown
    } = {
      time: '',
      service: '',
      traceId: '',
      ...rest,
    }
    observe(scheduler.now, scheduler.current.name, `logs "${msg ?? ''}" ${JSON.stringify(shown)}`)
  }
  await using _ = enterWorld({ scheduler, random, disk, log })
  const failed = (error: unknown): void => void problems.push(`a process ends: ${stackOf(error)}`)
  process.on('unhandledRejection', failed)
  try {
    begin()
    while (problems.length === 0 && !isOver() && (await scheduler.step()));
  } finally {
    process.off('unhandledRejection', failed)
  }
  return { problems, steps: scheduler.steps, milliseconds: scheduler.now }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
