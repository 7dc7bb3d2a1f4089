import { setImmediate } from 'node:timers/promises'
import type { Blueprint, Template } from '../read/cartographer-objects.ts'
import { Findings, placeOf } from '../findings.ts'
import { Realisation } from './realisation.ts'
import { selectBlueprint } from '../select/select-blueprint.ts'
import { StampBudget } from './stamp-budget.ts'
import type { StampInput, Stamped } from './stamping.ts'

/**
 * Stamps the objects of a `Workload` or `Deliverable`: selects its chain, resolves the parameters of each resource, and
 * replaces the tags of its template. Resources come in the order of the chain, each with the outputs of those before it.
 *
 * @throws InvalidInputError with all findings of the owner, its chain and the templates of that, one `file:line: …` a line.
 * @throws ResourceExhaustedError when the objects become too large.
 */
export async function stampOwner(input: StampInput): Promise<Stamped> {
  input.owner.findings.throwAll()
  const budget = input.budget ?? new StampBudget(placeOf(input.owner.at))
  const blueprint = selectBlueprint(input.owner, input.blueprints, budget)
  refuseFindingy(blueprint, input.templates)
  const realisation = new Realisation(input, blueprint, budget)
  for (const resource of blueprint.resources) {
    // Other work of the process has its turn in between.
    await setImmediate()
    await realisation.realise(resource)
  }
  return realisation.finish()
}

/** Tells what is wrong with a chain together with what is wrong with the templates that it names. */
function refuseFindingy(blueprint: Blueprint, templates: readonly Template[]): void {
  if (blueprint.findings.isEmpty) return
  const findings = new Findings()
  findings.addAll(blueprint.findings)
  for (const { templateKind, templateName } of blueprint.resources) {
    const named = templates.find(({ kind, name }) => kind === templateKind && name === templateName)
    if (named !== undefined) findings.addAll(named.findings)
  }
  findings.throwAll()
}
