import type { ApplyApplicationSetResponse } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { callForSet } from './input.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '../objects/json-fields.ts'
import type { InputObject } from '../objects/object-input.ts'

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
 * server without storing it, so that a fault of the last, or one Application of two sets, keeps the first from being written.
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
  const makers = new Map<string, InputObject>()
  const tried: ApplyApplicationSetResponse[] = []
  for (const set of sets.length > 1 || options.dryRun ? sets : []) {
    const answer = await apply(set, true)
    for (const { name, action } of answer.changes) {
      if (action === 'create' || action === 'update') requireOneMaker(makers, set, name)
    }
    tried.push(answer)
  }
  for (const [index, set] of sets.entries()) {
    const dryAnswer = options.dryRun ? tried[index] : undefined
    await tell(dryAnswer ?? (await apply(set, false)), set)
  }
}

/** The server sees each set alone, so that two of them make one Application shows here or when the first is stored. */
function requireOneMaker(makers: Map<string, InputObject>, set: InputObject, application: string): void {
  const key = `${textAt(set.object, 'metadata', 'namespace')}/${application}`
  const other = makers.get(key)
  if (other) {
    throw new CommandFailure(
      `${set.origin}: ${textAt(set.object, 'metadata', 'name')}: application ${application} is also made by ApplicationSet ` +
        `${textAt(other.object, 'metadata', 'name')} (${other.origin}); change a name, none of the sets is stored`,
    )
  }
  makers.set(key, set)
}
