import path from 'node:path'
import type { Effort } from '../effort.ts'
import { type HydrationBed, openHydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, information, type Measurement, median } from '../measurement.ts'
import { generateSmallApplications } from '../monorepo/small-applications.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateOneChange } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'

const bar = 1.3
const standardApplications = 10_000
const growth = 10
const standardRounds = 25
/** Rounds until the code of a run is compiled. */
const standardWarmUpRounds = 10

/** Compares a dry commit that changes one of very many small applications with one that changes one of a tenth of them. */
export async function measureGrowth(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
): Promise<Measurement[]> {
  const applications = effort.applications(standardApplications)
  const fewer = Math.ceil(applications / growth)
  const rounds = effort.rounds(standardRounds)
  const warmUpRounds = effort.rounds(standardWarmUpRounds)
  const open = async (name: string, count: number): Promise<HydrationBed> => {
    const options = { generate: generateSmallApplications }
    const bed = await openHydrationBed(path.join(directory, name), count, renderers.directory, options)
    await hydrateAll(bed)
    return bed
  }
  await using many = await open('many', applications)
  await using few = await open('few', fewer)
  const costs = { many: [] as Cost[], few: [] as Cost[] }
  for (let n = 1; n <= warmUpRounds + rounds; n++) {
    const [ofMany, ofFew] = [await hydrateOneChange(many, n), await hydrateOneChange(few, n)]
    if (n <= warmUpRounds) continue
    costs.many.push(ofMany)
    costs.few.push(ofFew)
  }
  const [ofMany, ofFew] = [median(costs.many), median(costs.few)]
  const basis = `median of ${rounds}: ${costText(ofMany)}; at ${fewer}: ${costText(ofFew)}`
  const name = `growth, ${applications} to ${fewer} applications`
  return [
    atMost(name, ofMany.wall / ofFew.wall, '×', bar, basis),
    information(`${name}, cpu`, middleCpu(costs.many) / middleCpu(costs.few), '×', basis),
  ]
}

function middleCpu(costs: readonly Cost[]): number {
  const sorted = costs.map(({ cpu }) => cpu).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
