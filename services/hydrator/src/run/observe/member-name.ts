import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ObservedGroup } from '../branch-run.ts'

/** The first Application of a branch as the command line takes it: with its namespace unless that is Wadi's own. */
export function memberName(groups: readonly ObservedGroup[]): string {
  const member = groups[0]?.members[0]?.application.metadata
  return member?.namespace === controlPlaneNamespace ? member.name : `${member?.namespace}/${member?.name}`
}
