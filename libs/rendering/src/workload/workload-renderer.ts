import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { compositePlan } from '../composite/composite-plan.ts'
import { fixedParameters } from '../composite/fixed-parameters.ts'
import { type Renderer, isAskedFor } from '../plan/renderer.ts'
import { isWorkload } from './workload-files.ts'

/** Workloads and deliverables: what the supply chains of operators stamp for them. */
export const workload: Renderer = {
  name: 'workload',
  noun: 'a workload',
  trialValues: 'beside',
  detects: isWorkload,
  async plan(source) {
    if (!(await isAskedFor(workload, source))) return undefined
    const { path, render } = source
    // Loaded on first use, as few sources are workloads.
    const { newNesting, planWorkloads } = await import('./workload-plan.ts')
    const composite =
      render === undefined
        ? await planWorkloads(source, newNesting(path))
        : await withContext(render.place, () => planWorkloads(source, render.nesting), InvalidInputError)
    return compositePlan(composite, {
      renderer: workload.name,
      inputs: source.inputs.paths(),
      seesNamespace: true,
      parameters: fixedParameters('a workload takes its values from its spec.params and from supply chains'),
    })
  },
}
