import path from 'node:path'
import type { Effort } from '../effort.ts'
import { openHydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'
import { generateBranches } from '../monorepo/branch-applications.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateNoChange } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'

const bar = 1.5
const standardBranches = 50
const standardRounds = 15
/** Rounds until the code of a run is compiled, before which fifty branches take a sixth longer; services run for weeks. */
const standardWarmUpRounds = 15

/** Compares a dry commit that changes no manifest of many branches with one that changes none of one branch. */
export async function measureBranches(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
): Promise<Measurement[]> {
  const branches = effort.applications(standardBranches)
  const rounds = effort.rounds(standardRounds)
  const warmUpRounds = effort.rounds(standardWarmUpRounds)
  const open = (name: string, count: number) =>
    openHydrationBed(path.join(directory, name), count, renderers.directory, { generate: generateBranches })
  await using many = await open('many', branches)
  await using one = await open('one', 1)
  await hydrateAll(many)
  await hydrateAll(one)
  const [costsOfMany, costsOfOne]: [Cost[], Cost[]] = [[], []]
  for (let n = 1; n <= warmUpRounds + rounds; n++) {
    const [ofMany, ofOne] = [await hydrateNoChange(many, n), await hydrateNoChange(one, n)]
    if (n <= warmUpRounds) continue
    costsOfMany.push(ofMany)
    costsOfOne.push(ofOne)
  }
  const [ofMany, ofOne] = [median(costsOfMany), median(costsOfOne)]
  const basis = `median of ${rounds}: ${costText(ofMany)}; one branch: ${costText(ofOne)}`
  return [
    atMost(`branches, nothing changed, ${branches} of them`, ofMany.wall / ofOne.wall, '× one', bar, basis),
  ]
}
