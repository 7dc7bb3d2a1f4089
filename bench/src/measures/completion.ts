import type { Effort } from '../effort.ts'
import { openHydrationBed } from '../hydration-bed.ts'
import { costText, information, type Measurement } from '../measurement.ts'
import { watchMemory } from '../process-tree.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateAll } from './hydrate-all.ts'

const standardApplications = 10_000

/** Hydrates a very large repository once; that it comes to an end is the measure. */
export async function measureCompletion(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
): Promise<Measurement[]> {
  const applications = effort.applications(standardApplications)
  await using bed = await openHydrationBed(directory, applications, renderers.directory)
  using memory = watchMemory(bed.mesh.pid)
  const cost = await hydrateAll(bed)
  const { own, descendants } = memory.peak()
  const mebibytes = Math.round((own + descendants) / 1024 ** 2)
  return [
    information(
      `complete, ${applications} applications`,
      cost.wall,
      's',
      `${costText(cost)}; ${mebibytes} MiB`,
    ),
  ]
}
