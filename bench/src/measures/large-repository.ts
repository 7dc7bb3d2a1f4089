import path from 'node:path'
import type { Effort } from '../effort.ts'
import { openHydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'
import { type MemoryWatch, watchMemory } from '../process-tree.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateOneChange } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'

const flatBar = 1.5
const memoryBarMiB = 500
const standardApplications = 3_000
const standardSmallSize = 100
const standardRounds = 11

/** Looks at a large repository: the memory of its first hydration, and whether a change takes longer than in a small one. */
export async function measureLarge(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
  names: ReadonlySet<string>,
): Promise<Measurement[]> {
  const applications = effort.applications(standardApplications)
  const smallSize = effort.applications(standardSmallSize)
  const rounds = effort.rounds(standardRounds)
  await compileSources(path.join(directory, 'first'), Math.min(applications, standardSmallSize), renderers)
  await using large = await openHydrationBed(path.join(directory, 'large'), applications, renderers.directory)
  const measurements: Measurement[] = []
  using memory = watchMemory(large.mesh.pid)
  const cold = await hydrateAll(large)
  if (names.has('flat')) {
    await using small = await openHydrationBed(path.join(directory, 'small'), smallSize, renderers.directory)
    await hydrateAll(small)
    const costs = { large: [] as Cost[], small: [] as Cost[] }
    // Taking turns, both see the same moods of the machine; the first turn warms up.
    for (let n = 0; n <= rounds; n++) {
      const inLarge = await hydrateOneChange(large, n + 1)
      const inSmall = await hydrateOneChange(small, n + 1)
      if (n === 0) continue
      costs.large.push(inLarge)
      costs.small.push(inSmall)
    }
    const [ours, theirs] = [median(costs.large), median(costs.small)]
    const basis = `median of ${rounds}: ${costText(ours)}; at ${smallSize}: ${costText(theirs)}`
    const name = `flat, ${applications} to ${smallSize} applications`
    measurements.push(atMost(name, ours.wall / theirs.wall, '×', flatBar, basis))
  }
  if (names.has('memory')) measurements.push(memoryMeasurement(applications, memory, cold))
  return measurements
}

/** The first start of changed sources compiles them, with a compiler in the memory of the process and of its threads; later ones do not. */
async function compileSources(
  directory: string,
  applications: number,
  renderers: CountedRenderers,
): Promise<void> {
  await using first = await openHydrationBed(directory, applications, renderers.directory)
  await hydrateAll(first)
}

/** The most that the mesh's process and its children had together. */
function memoryMeasurement(applications: number, memory: MemoryWatch, cold: Cost): Measurement {
  const { own, descendants } = memory.peak()
  const mebibytes = (bytes: number): number => Math.round(bytes / 1024 ** 2)
  const basis = `mesh ${mebibytes(own)}, its children ${mebibytes(descendants)}; cold: ${costText(cold)}`
  const name = `memory, ${applications} applications`
  return atMost(name, mebibytes(own) + mebibytes(descendants), 'MiB', memoryBarMiB, basis)
}
