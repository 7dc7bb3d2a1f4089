import type {
  ApplicationChange,
  ApplyApplicationSetResponse,
} from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { tableText } from '../output/table.ts'

const words = new Map([
  ['create', 'created'],
  ['update', 'updated'],
  ['delete', 'deleted'],
  ['keep', 'kept'],
])

/** Returns what became of a set's Applications in a few words, such as `2 created, 1 kept`; empty when nothing did. */
export function changeSummary(changes: readonly ApplicationChange[]): string {
  const counts = [...words].map(([action, word]) => {
    const count = changes.filter((change) => change.action === action).length
    return count === 0 ? '' : `${count} ${word}`
  })
  return counts.filter((text) => text !== '').join(', ')
}

/** Returns the Applications that change, and those that stay although they are generated no longer, as a table. */
export function changeTable(changes: readonly ApplicationChange[]): string {
  const rows = changes
    .filter(({ action }) => action !== 'unchanged')
    .map(({ action, name, before, after }) => {
      const application = after ?? before
      const server = textAt(application, 'spec', 'destination', 'server')
      return [
        action,
        name,
        textAt(application, 'spec', 'project'),
        server || textAt(application, 'spec', 'destination', 'name'),
        textAt(application, 'spec', 'destination', 'namespace'),
      ]
    })
  return rows.length === 0
    ? 'No Application changes.\n'
    : tableText(['ACTION', 'APPLICATION', 'PROJECT', 'CLUSTER', 'NAMESPACE'], rows)
}

/**
 * Tells the user why deletions of a set's Applications wait, in the server's words; nothing when `reason` is empty.
 * Returns the names for `requireNoneWithheld`.
 */
export function reportWithheld(session: CommandSession, name: string, reason: string): string[] {
  if (reason === '') return []
  session.warn(`ApplicationSet '${name}': ${reason}`)
  return [name]
}

/** Tells the same of a set that is not stored, which its refresh would delete nothing of. */
export function reportWouldWait(
  session: CommandSession,
  name: string,
  { withheld, outcome }: Pick<ApplyApplicationSetResponse, 'withheld' | 'outcome'>,
): void {
  const advice =
    outcome === 'unchanged' ? '' : ' (once it is applied; "wadi appset apply --confirm" does both)'
  if (withheld !== '') session.warn(`ApplicationSet '${name}': ${withheld}${advice}`)
}

/** @throws CommandFailure when deletions of sets wait: they are stored, but not all is done. */
export function requireNoneWithheld(names: readonly string[]): void {
  if (names.length === 0) return
  throw new CommandFailure(`deletions of Applications need a confirmation: ${names.join(', ')}`)
}
