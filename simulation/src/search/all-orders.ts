import type { Happening } from '../world/happening.ts'
import { calmWorld, processesOf, type WorldPlan } from '../world/plan.ts'
import type { Choices, Step } from '../virtual/scheduler.ts'
import type { WorldEnd } from '../world/live-in-world.ts'
import { liveWorld } from '../world/world.ts'
import { areIndependent } from './independent-steps.ts'

/** A step that was taken before others that waited longer: the number of the choice, and which of the possible steps it took. */
interface Overtaking {
  readonly choice: number
  readonly step: number
}

/** A schedule of the small world: when the second dry commit comes, which process is killed, and which steps overtake others. */
interface Schedule {
  readonly commitAt: number
  readonly crash: { readonly process: string; readonly afterSteps: number } | undefined
  readonly overtakings: readonly Overtaking[]
}

/** A schedule that was tried. */
export interface TriedSchedule {
  readonly schedule: Schedule
  readonly end: WorldEnd
}

const calm: Schedule = { commitAt: 0, crash: undefined, overtakings: [] }

/**
 * Tries all schedules of a world of two hydrators, one branch, two dry commits and at most one crash in which messages take no time, time
 * passes when there is none, and at most so many deviations happen: a crash at any step, or a step that overtakes others that waited
 * longer. A step overtakes only steps that it is not independent of, as the order of others does not matter. The second dry commit comes
 * at each time at which something happens without it.
 */
export async function* allSchedules(deviations: number): AsyncGenerator<TriedSchedule> {
  const { recorder } = await tried(calm)
  for (const commitAt of recorder.times) yield* from({ ...calm, commitAt }, deviations)
}

/** Tries a schedule, and those that deviate from it after its last deviation. */
async function* from(schedule: Schedule, deviations: number): AsyncGenerator<TriedSchedule> {
  const { end, recorder } = await tried(schedule)
  yield { schedule, end }
  if (deviations === 0) return
  for (const overtaking of recorder.possible) {
    yield* from({ ...schedule, overtakings: [...schedule.overtakings, overtaking] }, deviations - 1)
  }
  if (schedule.crash || schedule.overtakings.length > 0) return
  for (const process of processesOf(smallPlan(schedule))) {
    for (let afterSteps = 0; afterSteps < recorder.stepsOf(process); afterSteps++) {
      yield* from({ ...schedule, crash: { process, afterSteps } }, deviations - 1)
    }
  }
}

async function tried(schedule: Schedule): Promise<{ end: WorldEnd; recorder: Recorder }> {
  const recorder = new Recorder(schedule.overtakings)
  return { end: await liveWorld(smallPlan(schedule), undefined, recorder.choices), recorder }
}

/** Makes the choices of a schedule, and records what else could have been chosen. */
class Recorder {
  /** The steps that could overtake others after the last overtaking of the schedule. */
  readonly possible: Overtaking[] = []
  /** The times at which something happened, in milliseconds. */
  readonly times = new Set<number>()
  readonly #overtakings: ReadonlyMap<number, number>
  readonly #last: number
  readonly #steps = new Map<string, number>()
  #choices = 0

  constructor(overtakings: readonly Overtaking[]) {
    this.#overtakings = new Map(overtakings.map(({ choice, step }) => [choice, step]))
    this.#last = overtakings.at(-1)?.choice ?? -1
  }

  readonly choices: Choices = {
    latency: () => 0,
    choose: (ready) => {
      const choice = this.#choices++
      this.times.add(Math.floor(ready[0]?.due ?? 0))
      if (choice > this.#last) this.#record(choice, ready)
      const step = this.#overtakings.get(choice) ?? 0
      const { name = '' } = ready[step]?.actor ?? {}
      this.#steps.set(name, this.stepsOf(name) + 1)
      return step
    },
  }

  /** The number of steps that a process took. */
  stepsOf(name: string): number {
    return this.#steps.get(name) ?? 0
  }

  #record(choice: number, ready: readonly Step[]): void {
    for (const [step, candidate] of ready.entries()) {
      if (ready.slice(0, step).some((waiting) => !areIndependent(waiting, candidate))) {
        this.possible.push({ choice, step })
      }
    }
  }
}

function smallPlan({ commitAt, crash }: Schedule): WorldPlan {
  const commit: Happening = { kind: 'dry commit', changes: ['app-1'], isAnnounced: true, isBroken: false }
  const happenings = [{ at: commitAt, happening: commit }]
  const killed = crash && { at: 0, happening: { kind: 'crash', downMs: 0, ...crash } as const }
  return {
    ...calmWorld,
    hydrators: 2,
    holdMs: 6_000,
    happenings: killed ? [killed, ...happenings] : happenings,
  }
}
