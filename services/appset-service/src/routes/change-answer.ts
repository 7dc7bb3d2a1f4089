import type { JsonObject } from '@bufbuild/protobuf'
import type { SetChange } from '../changes/change-application-set.ts'

/** What became of a set and its Applications, as the RPCs tell it. */
export function changeAnswer({ resource, plan }: SetChange) {
  return {
    applicationSet: resource as JsonObject,
    changes: plan.changes.map(({ action, name, before, after }) => ({
      action,
      name,
      // What is unchanged may be large and is of no interest.
      ...(before && action !== 'unchanged' && { before: before as JsonObject }),
      ...(after && action !== 'unchanged' && { after: after as JsonObject }),
    })),
    withheld: plan.withheld,
  }
}
