import { type BareCosts, runBareRenderers } from '../bare-renderers.ts'
import type { Effort } from '../effort.ts'
import { openHydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, information, type Measurement, median } from '../measurement.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateNoChange, hydrateOneChange } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'

const coldBar = 1.3
const oneChangeBar = 1 / 40
const noChangeBar = 1 / 80
const standardApplications = 1_000
const standardRounds = 9

/** Compares the first hydration with the renderers alone, and what a small dry commit takes with the first hydration. */
export async function measureColdAndChanges(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
  names: ReadonlySet<string>,
): Promise<Measurement[]> {
  const applications = effort.applications(standardApplications)
  const rounds = effort.rounds(standardRounds)
  await using bed = await openHydrationBed(directory, applications, renderers.directory)
  const measurements: Measurement[] = []
  const startsBefore = await renderers.starts()
  const cold = await hydrateAll(bed)
  const coldStarts = (await renderers.starts()) - startsBefore
  if (names.has('cold')) {
    const bare = await runBareRenderers(bed, renderers.tools, directory)
    measurements.push(...compareCold(applications, cold, coldStarts, bare))
  }
  if (names.has('one-change')) {
    const costs = await repeat(rounds, (n) => hydrateOneChange(bed, n))
    const name = `one-change, ${applications} applications`
    measurements.push(ratioToCold(name, costs, cold, oneChangeBar))
  }
  if (names.has('no-change')) {
    const before = await renderers.starts()
    const costs = await repeat(rounds, (n) => hydrateNoChange(bed, n))
    const started = (await renderers.starts()) - before
    measurements.push(
      ratioToCold(`no-change, ${applications} applications`, costs, cold, noChangeBar),
      atMost('no-change, renderers started', started, 'processes', 0, `in ${rounds} dry commits`),
    )
  }
  return measurements
}

function compareCold(applications: number, cold: Cost, starts: number, bare: BareCosts): Measurement[] {
  const { all, renders } = bare
  const name = `cold, ${applications} applications`
  const ours = `${costText(cold)}, ${starts} renderers`
  const against = `bare: ${costText(all)}, ${all.processes} renderers`
  // Dependencies are packed once and not for each chart, so the mesh is also held against the renders alone.
  const strictly = `bare: ${costText(renders)}, ${renders.processes} renderers`
  return [
    atMost(name, cold.wall / all.wall, '× bare', coldBar, `${ours}; ${against}`),
    information(`${name}, no dependency builds`, cold.wall / renders.wall, '× bare', strictly),
  ]
}

function ratioToCold(name: string, costs: readonly Cost[], cold: Cost, bar: number): Measurement {
  const middle = median(costs)
  const basis = `median of ${costs.length}: ${costText(middle)}; cold: ${costText(cold)}`
  return atMost(name, middle.wall / cold.wall, '× cold', bar, basis)
}

async function repeat(rounds: number, measure: (n: number) => Promise<Cost>): Promise<Cost[]> {
  // The first time warms up what only small runs use.
  await measure(1)
  const costs: Cost[] = []
  for (let n = 2; n < rounds + 2; n++) costs.push(await measure(n))
  return costs
}
