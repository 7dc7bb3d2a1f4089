import { runBareRenderers } from '../bare-renderers.ts'
import type { Effort } from '../effort.ts'
import { openHydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'
import { changeBase, generateOverlays } from '../monorepo/overlays-of-one-base.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateAll } from './hydrate-all.ts'

const bar = 0.3
const standardOverlays = 300
const standardRounds = 3

/** Compares hydrating all overlays of a base that changed with building each of them with the tool. */
export async function measureOverlays(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
): Promise<Measurement[]> {
  const overlays = effort.applications(standardOverlays)
  const rounds = effort.rounds(standardRounds)
  await using bed = await openHydrationBed(directory, overlays, renderers.directory, {
    generate: generateOverlays,
  })
  await hydrateAll(bed)
  const before = await renderers.starts()
  const costs: Cost[] = []
  for (let n = 1; n <= rounds; n++) {
    const push = async (): Promise<string> =>
      bed.dry.push(`Release ${n}`, await changeBase(bed.dry.workTree, n))
    costs.push(await bed.hydrate(push, (drySha) => bed.branches.noted(drySha)))
  }
  const started = (await renderers.starts()) - before
  const { renders } = await runBareRenderers(bed, renderers.tools, directory)
  const ours = median(costs)
  const basis = `median of ${rounds}: ${costText(ours)}, ${started} renderers in all; bare: ${costText(renders)}`
  const name = `overlays, ${overlays} of one base, which changed`
  return [atMost(name, ours.wall / renders.wall, '× bare', bar, basis)]
}
