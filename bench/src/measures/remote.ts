import path from 'node:path'
import type { Effort } from '../effort.ts'
import { type HydrationBed, openHydrationBed } from '../hydration-bed.ts'
import { atMost, information, type Measurement, median } from '../measurement.ts'
import { generateBranches } from '../monorepo/branch-applications.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateOneChangeEverywhere } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'

const bar = 8
const roundTripMs = 40
const standardBranches = 50
const standardRounds = 5

/**
 * Counts the round trips of one change between the webhook and the last push, to a git server that is far away and with which no
 * connection is open: of a repository with one branch, and of one with many, where the others get their note.
 */
export async function measureRemote(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const branches of [1, effort.applications(standardBranches)]) {
    await using bed = await openHydrationBed(
      path.join(directory, String(branches)),
      branches,
      renderers.directory,
      { generate: generateBranches, roundTripMs },
    )
    await hydrateAll(bed)
    measurements.push(...(await measureChanges(bed, effort.rounds(standardRounds))))
  }
  return measurements
}

async function measureChanges(bed: HydrationBed, rounds: number): Promise<Measurement[]> {
  const counts: number[] = []
  const costs = []
  for (let n = 0; n <= rounds; n++) {
    bed.server.closeConnections()
    const before = bed.server.roundTrips()
    let after = before
    const cost = await hydrateOneChangeEverywhere(bed, n, () => (after = bed.server.roundTrips()))
    // The first time warms up what only small runs use.
    if (n === 0) continue
    costs.push(cost)
    counts.push(after - before)
  }
  const name = `remote, one change, branches: ${bed.dry.applications.length}`
  const most = Math.max(...counts)
  const seconds = median(costs).wall
  return [
    atMost(name, most, 'round trips', bar, `most of ${rounds}: ${counts.join(', ')}`),
    information(
      `${name}, time`,
      (seconds * 1000) / roundTripMs,
      '× 40 ms',
      `median: ${seconds.toFixed(3)} s`,
    ),
  ]
}
