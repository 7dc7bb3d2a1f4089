import { allSchedules } from './search/all-orders.ts'
import { guidedWorlds } from './search/guided-worlds.ts'
import { plannedBy } from './search/varied-plan.ts'
import { planSets, type SetsPlan } from './sets/planned-sets.ts'
import { liveSets } from './sets/sets-world.ts'
import { planContestedWorld, planSmallWorld, type WorldPlan } from './world/plan.ts'
import { shrinkPlan } from './world/shrink-plan.ts'
import { liveWorld, type WorldEnd } from './world/world.ts'

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
  /** True for worlds of two hydrators, one branch, two dry commits and a crash. */
  readonly small: boolean
  /** True to vary worlds that showed something new. */
  readonly guided: boolean
  /** True for worlds of one branch whose hydrators lose their jobs to each other. */
  readonly contested: boolean
  /** True for worlds of appset-services. */
  readonly sets: boolean
}

const progressMs = 10_000

/** Lets worlds live and writes what went wrong. Returns true if anything did. @param first true to stop after that */
export async function simulateAll(
  worlds: AsyncIterable<Tried>,
  first: boolean,
  write: Write,
): Promise<boolean> {
  const began = process.cpuUsage()
  let [tried, steps, failures, told, last] = [0, 0, 0, performance.now(), '']
  const soFar = (): string => {
    const { user, system } = process.cpuUsage(began)
    const seconds = (user + system) / 1e6
    const speed = `${seconds.toFixed(1)} s of processor, ${(tried / seconds).toFixed(0)} a second`
    return `${tried} worlds, ${steps} steps, ${speed}${last}: ${failures} with problems`
  }
  for await (const { name, end, found = '' } of worlds) {
    tried++
    steps += end.steps
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
export async function* worldsOfSeeds({ from, count, guided, ...kind }: SeedChoice): AsyncGenerator<Tried> {
  if (guided) {
    for await (const { seed, end, pairs } of guidedWorlds({ from, count })) {
      yield { name: `seed ${seed}`, end, found: `, ${pairs} pairs of steps and faults` }
    }
    return
  }
  for (let seed = from; seed < from + count; seed++) {
    yield { name: `seed ${seed}`, end: await liveSeed(seed, kind) }
  }
}

type WorldKind = Pick<SeedChoice, 'small' | 'contested' | 'sets'>

function liveSeed(seed: number, kind: WorldKind): Promise<WorldEnd> {
  return kind.sets ? liveSets(planSets(seed)) : liveWorld(planOf(String(seed), kind))
}

function planOf(seed: string, { small, contested }: Omit<WorldKind, 'sets'>): WorldPlan {
  if (small) return planSmallWorld(Number(seed))
  return contested ? planContestedWorld(Number(seed)) : plannedBy(seed)
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
  kind: WorldKind & { readonly story: boolean; readonly shrink: boolean },
  write: Write,
): Promise<boolean> {
  const tell = (milliseconds: number, actor: string, text: string): void => {
    write(`${(milliseconds / 1000).toFixed(3).padStart(9)} s  ${actor.padEnd(16)} ${text}`)
  }
  const observe = kind.story ? tell : undefined
  if (kind.sets) {
    const plan = planSets(Number(seed))
    tellPlan(plan, write)
    return tellEnd(await liveSets(plan, observe), write)
  }
  const whole = planOf(seed, kind)
  const plan = kind.shrink ? await shrinkPlan(whole) : whole
  tellPlan(plan, write)
  return tellEnd(await liveWorld(plan, observe), write)
}

function tellPlan({ happenings, ...shape }: WorldPlan | SetsPlan, write: Write): void {
  write(JSON.stringify(shape))
  for (const { at, happening } of happenings) write(`  after ${at} ms: ${JSON.stringify(happening)}`)
}

function tellEnd({ problems, steps, milliseconds }: WorldEnd, write: Write): boolean {
  const end = problems.length === 0 ? ['all is as it must be'] : problems
  write(`after ${steps} steps and ${(milliseconds / 1000).toFixed(1)} s: ${end.join('\n  ')}`)
  return problems.length > 0
}
