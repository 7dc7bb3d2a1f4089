import { type BareCosts, runBareRenderers } from '../bare-renderers.ts'
import { openBareGit } from '../bare-git.ts'
import type { Effort } from '../effort.ts'
import { type HydrationBed, openHydrationBed } from '../hydration-bed.ts'
import { type MainThreadProfile, shareOf } from '../main-thread-profile.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { changedBy, hydrateChartChange, hydrateNoChange, hydrateOneChange } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'

const coldBar = 1.3
const strictColdBar = 0.4
const fanOutBar = 0.2
const fanOutRounds = 3
const oneChangeBar = 1 / 40
const noChangeBar = 1 / 80
const startsBar = 0.05
const bareBar = 1.5
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
  if (names.has('cold') || names.has('fan-out')) {
    const bare = await runBareRenderers(bed, renderers.tools, directory)
    if (names.has('cold')) measurements.push(...compareCold(applications, cold, coldStarts, bare))
    if (names.has('fan-out')) {
      const before = await renderers.starts()
      const changes = effort.rounds(fanOutRounds)
      const costs = await repeat(changes, (n) => hydrateChartChange(bed, n))
      const starts = (await renderers.starts()) - before
      measurements.push(compareFanOut(costs, starts / (changes + 1), bare))
    }
  }
  const bareGit = await openBareGit(bed, directory, renderers.tools)
  if (names.has('one-change')) {
    const bareCosts: Cost[] = []
    const costs = await repeat(rounds, async (n) => {
      const cost = await hydrateOneChange(bed, n)
      bareCosts.push(await bareGit.change(changedBy(bed, n)))
      return cost
    })
    const name = `one-change, ${applications} applications`
    measurements.push(ratioToCold(name, costs, cold, oneChangeBar), ratioToBare(name, costs, bareCosts))
    measurements.push(await measureStarts(bed, name, rounds))
  }
  if (names.has('no-change')) {
    const before = await renderers.starts()
    const bareCosts: Cost[] = []
    const costs = await repeat(rounds, async (n) => {
      const cost = await hydrateNoChange(bed, n)
      bareCosts.push(await bareGit.noChange())
      return cost
    })
    const started = (await renderers.starts()) - before
    const name = `no-change, ${applications} applications`
    measurements.push(
      ratioToCold(name, costs, cold, noChangeBar),
      ratioToBare(name, costs, bareCosts),
      atMost('no-change, renderers started', started, 'processes', 0, `in ${rounds} dry commits`),
    )
  }
  return measurements
}

/** Measures the share of the start of programs in the work of the mesh's main thread for one change. */
async function measureStarts(bed: HydrationBed, name: string, rounds: number): Promise<Measurement> {
  const profiles: MainThreadProfile[] = []
  for (let n = 1; n <= rounds; n++) {
    const endProfile = await bed.mesh.beginProfile()
    // The versions are those after the ones of the rounds before.
    await hydrateOneChange(bed, rounds + 1 + n)
    profiles.push(await endProfile())
  }
  const share = shareOf(profiles, (url) => /\/libs\/programs\/|^node:.*child_process/.test(url))
  const basis = `of ${rounds} changes together`
  return atMost(`${name}, main thread in starting programs`, share, 'of its time', startsBar, basis)
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
    atMost(`${name}, no dependency builds`, cold.wall / renders.wall, '× bare', strictColdBar, strictly),
  ]
}

/** A change of one chart in all its applications, against `helm template` for each of them. */
function compareFanOut(costs: readonly Cost[], starts: number, { inHouse }: BareCosts): Measurement {
  const cost = median(costs)
  const basis = `${costText(cost)}, ${starts.toFixed(1)} renderers; helm template: ${costText(inHouse)}`
  return atMost(
    `fan-out, ${inHouse.processes} applications`,
    cost.wall / inHouse.wall,
    '× helm template',
    fanOutBar,
    basis,
  )
}

function ratioToCold(name: string, costs: readonly Cost[], cold: Cost, bar: number): Measurement {
  const middle = median(costs)
  const basis = `median of ${costs.length}: ${costText(middle)}; cold: ${costText(cold)}`
  return atMost(name, middle.wall / cold.wall, '× cold', bar, basis)
}

/** Against the programs alone; what the mesh does besides, such as noting the other branches, is not taken off. */
function ratioToBare(name: string, costs: readonly Cost[], bareCosts: readonly Cost[]): Measurement {
  const [ours, theirs] = [median(costs), median(bareCosts.slice(1))]
  const basis = `median of ${costs.length}: ${costText(ours)}; bare: ${costText(theirs)}`
  return atMost(`${name}, to bare programs`, ours.wall / theirs.wall, '× bare', bareBar, basis)
}

async function repeat(rounds: number, measure: (n: number) => Promise<Cost>): Promise<Cost[]> {
  // The first time warms up what only small runs use.
  await measure(1)
  const costs: Cost[] = []
  for (let n = 2; n < rounds + 2; n++) costs.push(await measure(n))
  return costs
}
