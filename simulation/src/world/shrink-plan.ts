import { liveWorld } from './world.ts'
import type { WorldPlan } from './plan.ts'

/**
 * Returns a plan without the happenings that its failure does not need; one that does not fail as it is.
 * @param fails tells whether a plan fails
 */
export async function shrinkPlan(plan: WorldPlan, fails = hasProblems): Promise<WorldPlan> {
  if (!(await fails(plan))) return plan
  let smallest = plan
  for (
    let size = Math.ceil(plan.happenings.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let first = 0; first < smallest.happenings.length;) {
      const happenings = smallest.happenings.toSpliced(first, size)
      const smaller = { ...smallest, happenings }
      if (await fails(smaller)) smallest = smaller
      else first += size
    }
  }
  return smallest
}

async function hasProblems(plan: WorldPlan): Promise<boolean> {
  return (await liveWorld(plan)).problems.length > 0
}
