import { allSchedules } from './search/all-orders.ts'
import { guidedWorlds } from './search/guided-worlds.ts'
import { type PlannedWorld, type WorldKind, worldOf } from './world-kinds.ts'
import type { WorldEnd } from './world/live-in-world.ts'

type Write = (text: string) => void

/** A world that was tried, and the name that it is reported by. */
interface Tried {
  readonly name: string
  readonly end: WorldEnd
  /** The state of the search so far, in words. */
  readonly found?: string
}

/** The worlds to try. */
export interface SeedChoice {
  readonly from: number
  readonly count: number
  readonly kind: WorldKind
  /** True to vary worlds of hydrators that showed something new. */
  readonly guided: boolean
}

const progressMs = 10_000

/** Lets worlds live and writes what went wrong. Returns true if anything did. @param first true to stop after that */
export async function simulateAll(
  worlds: AsyncIterable<Tried>,
  first: boolean,
  write: Write,
): Promise<boolean> {
  const began = process.cpuUsage()
  let [tried, rounds, steps, failures, told, last] = [0, 0, 0, 0, performance.now(), '']
  const soFar = (): string => {
    const { user, system } = process.cpuUsage(began)
    const seconds = (user + system) / 1e6
    const speed = `${seconds.toFixed(1)} s of processor, ${(rounds / seconds).toFixed(0)} rounds a second`
    return `${tried} worlds, ${rounds} rounds, ${steps} steps, ${speed}${last}: ${failures} with problems`
  }
  for await (const { name, end, found = '' } of worlds) {
    tried++
    steps += end.steps
    rounds += end.rounds ?? 1
    last = found
    if (performance.now() - told > progressMs) {
      write(soFar())
      told = performance.now()
    }
    if (end.problems.length === 0) continue
    failures++
    write(`${name}: ${end.problems.join('\n  ')}`)
    if (first) break
  }
  write(soFar())
  return failures > 0
}

/** Lets the worlds of seeds live. */
export async function* worldsOfSeeds({ from, count, guided, kind }: SeedChoice): AsyncGenerator<Tried> {
  if (guided) {
    for await (const { seed, end, pairs } of guidedWorlds({ from, count })) {
      yield { name: `seed ${seed}`, end, found: `, ${pairs} pairs of steps and faults` }
    }
    return
  }
  for (let seed = from; seed < from + count; seed++) {
    yield { name: `seed ${seed}`, end: await worldOf(String(seed), kind).live() }
  }
}

/** Lets all schedules of the small world with at most so many deviations live. */
export async function* worldsOfSchedules(deviations: number): AsyncGenerator<Tried> {
  for await (const { schedule, end } of allSchedules(deviations)) {
    yield { name: `schedule ${JSON.stringify(schedule)}`, end }
  }
}

/** Lets the world of a seed live and writes its story. Returns true if something went wrong. */
export async function simulateSeed(
  seed: string,
  { kind, story, shrink }: { readonly kind: WorldKind; readonly story: boolean; readonly shrink: boolean },
  write: Write,
): Promise<boolean> {
  const tell = (milliseconds: number, actor: string, text: string): void => {
    write(`${(milliseconds / 1000).toFixed(3).padStart(9)} s  ${actor.padEnd(16)} ${text}`)
  }
  const whole = worldOf(seed, kind)
  const world = (shrink ? await whole.shrunk?.() : undefined) ?? whole
  tellPlan(world.plan, write)
  return tellEnd(await world.live(story ? tell : undefined), write)
}

function tellPlan({ happenings, ...shape }: PlannedWorld['plan'], write: Write): void {
  write(JSON.stringify(shape))
  for (const { at, happening } of happenings) write(`  after ${at} ms: ${JSON.stringify(happening)}`)
}

function tellEnd({ problems, steps, milliseconds }: WorldEnd, write: Write): boolean {
  const end = problems.length === 0 ? ['all is as it must be'] : problems
  write(`after ${steps} steps and ${(milliseconds / 1000).toFixed(1)} s: ${end.join('\n  ')}`)
  return problems.length > 0
}
