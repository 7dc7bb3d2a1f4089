import { planSmallWorld, planWorld, type WorldPlan } from './world/plan.ts'
import { shrinkPlan } from './world/shrink-plan.ts'
import { liveWorld } from './world/world.ts'

type Write = (text: string) => void

/** The choice of worlds. */
export interface WorldChoice {
  /** True for worlds of two hydrators, one branch, two dry commits and a crash. */
  readonly small: boolean
}

const progressMs = 10_000

function planned(seed: number, { small }: WorldChoice): WorldPlan {
  return small ? planSmallWorld(seed) : planWorld(seed)
}

/** Lets the worlds of some seeds live and writes what went wrong. Returns true if anything did. */
export async function simulateSeeds(
  choice: WorldChoice & { readonly from: number; readonly count: number; readonly first: boolean },
  write: Write,
): Promise<boolean> {
  const { from, count, first } = choice
  const began = { at: performance.now(), cpu: process.cpuUsage() }
  let [worlds, steps, failures, told] = [0, 0, 0, began.at]
  const soFar = (): string => {
    const { user, system } = process.cpuUsage(began.cpu)
    const seconds = (user + system) / 1e6
    const speed = `${seconds.toFixed(1)} s of processor, ${(worlds / seconds).toFixed(0)} a second`
    return `${worlds} worlds, ${steps} steps, ${speed}: ${failures} with problems`
  }
  for (let seed = from; seed < from + count; seed++) {
    const end = await liveWorld(planned(seed, choice))
    worlds++
    steps += end.steps
    if (performance.now() - told > progressMs) {
      write(soFar())
      told = performance.now()
    }
    if (end.problems.length === 0) continue
    failures++
    const again = `npm run simulate -- --seed ${seed}${choice.small ? ' --small' : ''} --story --shrink`
    write(`seed ${seed}: ${end.problems.join('\n  ')}\n  ${again}`)
    if (first) break
  }
  write(soFar())
  return failures > 0
}

/** Lets the world of a seed live and writes its story. Returns true if something went wrong. */
export async function simulateSeed(
  seed: number,
  choice: WorldChoice & { readonly story: boolean; readonly shrink: boolean },
  write: Write,
): Promise<boolean> {
  const whole = planned(seed, choice)
  const plan = choice.shrink ? await shrinkPlan(whole) : whole
  const { seed: _seed, happenings, ...shape } = plan
  write(`seed ${seed}: ${JSON.stringify(shape)}`)
  for (const { at, happening } of happenings) write(`  after ${at} ms: ${JSON.stringify(happening)}`)
  const tell = (milliseconds: number, actor: string, text: string): void => {
    write(`${(milliseconds / 1000).toFixed(3).padStart(9)} s  ${actor.padEnd(16)} ${text}`)
  }
  const { problems, steps, milliseconds } = await liveWorld(plan, choice.story ? tell : undefined)
  const end = problems.length === 0 ? ['all is as it must be'] : problems
  write(`after ${steps} steps and ${(milliseconds / 1000).toFixed(1)} s: ${end.join('\n  ')}`)
  return problems.length > 0
}
