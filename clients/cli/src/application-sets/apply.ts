import type { ApplyApplicationSetResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_set_service_pb.ts'
import { callForSet } from './input.ts'
import type { CommandSession } from '../command-session.ts'
import type { InputObject } from '../object-input.ts'

/** How ApplicationSets are stored. */
export interface ApplyOptions {
  /** Whether a stored set that differs is changed; otherwise it is an error. */
  upsert: boolean
  /** Whether everything is checked and nothing stored. */
  dryRun: boolean
  /** Whether Applications are deleted however many they are. */
  confirmDeletions: boolean
}

/**
 * Stores ApplicationSets one after the other and tells what became of each. Of several, each is first checked by the
 * server without storing it, so that a fault of the last keeps the first from being written.
 * @throws CommandFailure (`file:line: name: …`) for the first that fails; those before it stay.
 */
export async function applySets(
  session: CommandSession,
  sets: readonly InputObject[],
  options: ApplyOptions,
  tell: (answer: ApplyApplicationSetResponse, set: InputObject) => void | Promise<void>,
): Promise<void> {
  const { applicationSets } = await session.connect()
  const { signal } = session
  const apply = (set: InputObject, dryRun: boolean) =>
    callForSet(set, () =>
      applicationSets.applyApplicationSet({ ...options, applicationSet: set.object, dryRun }, { signal }),
    )
  if (sets.length > 1 && !options.dryRun) for (const set of sets) await apply(set, true)
  for (const set of sets) await tell(await apply(set, options.dryRun), set)
}
