import { liveWorld } from './world/world.ts'
import { planWorld } from './world/plan.ts'
import { shrinkPlan } from './world/shrink-plan.ts'

type Write = (text: string) => void

/** Lets the worlds of some seeds live and writes what went wrong. Returns true if anything did. */
export async function simulateSeeds(
  { from, count }: { from: number; count: number },
  write: Write,
): Promise<boolean> {
  const started = performance.now()
  let [steps, failures] = [0, 0]
  for (let seed = from; seed < from + count; seed++) {
    const end = await liveWorld(planWorld(seed))
    steps += end.steps
    if (end.problems.length === 0) continue
    failures++
    write(`seed ${seed}: ${end.problems.join('\n  ')}\n  npm run simulate -- --seed ${seed} --story --shrink`)
  }
  const seconds = (performance.now() - started) / 1000
  write(`${count} worlds, ${steps} steps, ${seconds.toFixed(1)} s: ${failures} with problems`)
  return failures > 0
}

/** Lets the world of a seed live and writes its story. Returns true if something went wrong. */
export async function simulateSeed(
  seed: number,
  { story = false, shrink = false }: { story?: boolean; shrink?: boolean },
  write: Write,
): Promise<boolean> {
  const plan = shrink ? await shrinkPlan(planWorld(seed)) : planWorld(seed)
  const { seed: _seed, happenings, ...shape } = plan
  write(`seed ${seed}: ${JSON.stringify(shape)}`)
  for (const { at, happening } of happenings) write(`  after ${at} ms: ${JSON.stringify(happening)}`)
  const tell = (milliseconds: number, actor: string, text: string): void => {
    write(`${(milliseconds / 1000).toFixed(3).padStart(9)} s  ${actor.padEnd(16)} ${text}`)
  }
  const { problems, steps, milliseconds } = await liveWorld(plan, story ? tell : undefined)
  const end = problems.length === 0 ? ['all is as it must be'] : problems
  write(`after ${steps} steps and ${(milliseconds / 1000).toFixed(1)} s: ${end.join('\n  ')}`)
  return problems.length > 0
}
