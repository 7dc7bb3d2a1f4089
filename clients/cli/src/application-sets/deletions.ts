import type { Command } from 'commander'
import type { ApplicationChange } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { askYesNoAll, canAsk } from '../command-line/confirmation.ts'
import { printable } from '../output/printable.ts'

/** The user's consent to deletions. */
export interface DeletionAgreement {
  /** True when nobody has to be asked. */
  yes: boolean
  signal: AbortSignal
}

/** Adds `--yes` to a command that may delete Applications of a set. */
export function addYesFlag(command: Command): Command {
  return command.option(
    '-y, --yes',
    'delete Applications that a set generates no longer without asking; required without a terminal',
  )
}

/**
 * Names the Applications that a change of a set deletes, and asks; a change that deletes none needs no answer.
 * @throws CommandFailure when nobody can be asked or the answer is no
 */
export async function agreeToDeletions(
  set: string,
  changes: readonly ApplicationChange[],
  { yes, signal }: DeletionAgreement,
): Promise<void> {
  const names = changes.filter(({ action }) => action === 'delete').map(({ name }) => printable(name))
  if (names.length === 0 || yes) return
  const deletion = `ApplicationSet '${printable(set)}' deletes ${names.length === 1 ? 'an Application' : `${names.length} Applications`}: ${names.join(', ')}`
  if (!canAsk()) {
    throw new CommandFailure(
      `${deletion}; there is no terminal to confirm on: repeat the command with --yes. The set is not stored`,
    )
  }
  process.stdout.write(`${deletion}\n`)
  const answer = await askYesNoAll('Are you sure you want to delete them? [y/n] ', {
    offerAll: false,
    signal,
  })
  if (answer === 'no') throw new CommandFailure(`cancelled: ApplicationSet '${printable(set)}' is not stored`)
}
