import type { HydrationBed } from '../hydration-bed.ts'
import type { Cost } from '../measurement.ts'

/** Pushes the whole monorepo as the first dry commit and waits until all branches are hydrated from it. */
export function hydrateAll(bed: HydrationBed): Promise<Cost> {
  return bed.hydrate(
    () => bed.dry.push('Describe all applications'),
    (drySha) => bed.branches.noted(drySha),
  )
}
