import { create } from '@bufbuild/protobuf'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { FoundApplications } from './local-applications.ts'

/** Facts about ApplicationSets and Applications that make others, when not all that they make is known. */
export interface IncompleteMakers {
  /** Returns true if an Application that one side lacks may exist there but be unknown. */
  readonly isUnknown: (key: string) => boolean
  /** Those that the change broke, as failed Applications. */
  readonly failed: readonly ApplicationChanges[]
  readonly warnings: readonly string[]
}

/**
 * Compares what could not be found out on both sides.
 * @param keys the Applications that are compared: their own errors are shown there
 */
export function incompleteMakers(
  before: FoundApplications,
  after: FoundApplications,
  keys: ReadonlySet<string>,
): IncompleteMakers {
  const makerOf = (key: string) => after.makers.get(key) ?? before.makers.get(key)
  const known = new Set(before.makers.values())
  const failed: ApplicationChanges[] = []
  const warnings: string[] = []
  for (const maker of new Set([...after.incomplete.keys(), ...before.incomplete.keys()])) {
    const [kind = '', name = ''] = maker.split(' ')
    const [now, then] = [after.incomplete.get(maker), before.incomplete.get(maker)]
    if (kind === 'Application' && keys.has(name)) continue
    const isBroken = now !== undefined && then === undefined
    if (isBroken && (kind === 'ApplicationSet' || known.has(maker))) failed.push(failure(kind, name, now))
    else if (now !== undefined) warnings.push(`${maker}: what it makes is not compared: ${now}`)
    else if (then !== undefined)
      warnings.push(`${maker}: what it made is not compared, as its base is invalid: ${then}`)
  }
  return {
    isUnknown: (key) => {
      const maker = makerOf(key)
      return maker !== undefined && (after.incomplete.has(maker) || before.incomplete.has(maker))
    },
    failed,
    warnings,
  }
}

function failure(kind: string, qualified: string, error: string): ApplicationChanges {
  const [namespace = '', name = ''] = qualified.split('/')
  const said = error.startsWith(kind) ? error : `${kind}: ${error}`
  return create(ApplicationChangesSchema, { namespace, name, outcome: 'failed', errors: [said] })
}
