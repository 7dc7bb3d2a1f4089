import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { type CompositeParameters, compositePlan } from '../composite/composite-plan.ts'
import { type Renderer, isAskedFor } from '../../plan/renderer.ts'
import { storedMessage, withHiddenTexts } from '../../parameters/stored-values/value-changes.ts'
import type { RealisedOwner } from './parameters/workload-params.ts'
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
      parameters: workloadView(composite.owners),
    })
  },
}

/** The parameters of workloads, in their own objects. */
function workloadView(owners: readonly RealisedOwner[]): CompositeParameters {
  return {
    describe: async () => {
      const { ownerParameters } = await import('./parameters/workload-params.ts')
      const parameters = ownerParameters(owners).map(({ stored, realised }) =>
        storedMessage(withHiddenTexts(stored, realised.hidden)),
      )
      return { parameters, warnings: [] }
    },
    edit: async ({ tree }, wanted) => {
      const { editWorkloads } = await import('./parameters/edit-workloads.ts')
      return { files: await editWorkloads(tree, owners, wanted) }
    },
  }
}
