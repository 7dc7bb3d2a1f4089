import { Realisation } from './realisation.ts'
import { selectBlueprint } from './select-blueprint.ts'
import type { StampInput, Stamped } from './stamping.ts'

/**
 * Stamps the objects of a `Workload` or `Deliverable`: selects its chain, resolves the parameters of each resource, and
 * replaces the tags of its template. Resources come in the order of the chain, each with the outputs of those before it.
 *
 * @throws InvalidInputError with all faults of the owner, one `file:line: …` a line.
 * @throws ResourceExhaustedError when the objects become too large.
 */
export async function stampOwner(input: StampInput): Promise<Stamped> {
  const blueprint = selectBlueprint(input.owner, input.blueprints)
  const realisation = new Realisation(input, blueprint)
  for (const resource of blueprint.resources) await realisation.realise(resource)
  return realisation.finish()
}
