import { applicationWarnings } from '@wadi/resources/application/application-warnings.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import { elementPrinter } from './shown-element.ts'
import type { SetChange } from '../changes/change-application-set.ts'

/** Returns the outcome for a set and its Applications as the RPCs return it. */
export function changeAnswer({ resource, plan, planId, elements }: SetChange) {
  const print = elementPrinter()
  return {
    applicationSet: shownObject(resource),
    changes: plan.changes.map(({ action, name, before, after }) => {
      const element = elements?.get(name)
      return {
        action,
        name,
        // What is unchanged may be large and is of no interest.
        ...(before && action !== 'unchanged' && { before: shownObject(before) }),
        ...(after && action !== 'unchanged' && { after: shownObject(after) }),
        ...(element && { element: print(element) }),
      }
    }),
    withheld: plan.withheld,
    plan: planId,
  }
}

/** Returns warnings about fields without effect in the Applications that a set writes, each once. */
export function changeWarnings({ plan }: SetChange): string[] {
  const written = plan.changes.flatMap(({ action, after }) => (after && action !== 'keep' ? [after] : []))
  return [...new Set(written.flatMap((application) => applicationWarnings(application)))].map(
    (warning) => `Applications of the set: ${warning}`,
  )
}
