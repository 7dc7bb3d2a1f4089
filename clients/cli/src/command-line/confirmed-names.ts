import { CommandFailure } from './command-failure.ts'
import { askYesNoAll, canAsk } from './confirmation.ts'
import { printable } from '../output/printable.ts'

/** Options of the question. */
export interface NamesConfirmation {
  /** True to ask nobody. */
  yes: boolean
  /** The names in the plural: `projects`. */
  what: string
  /** The sub-command, for the answer no: `delete`. */
  verb: string
  signal: AbortSignal
}

/**
 * Yields the names, or what has them, that are to be deleted, one after the other, each when somebody agreed to it.
 * @throws CommandFailure before the first where nobody can be asked
 */
export async function* confirmedNames<Named extends string | { readonly name: string }>(
  names: readonly Named[],
  { yes, what, verb, signal }: NamesConfirmation,
): AsyncGenerator<Named, void, undefined> {
  let asks = !yes
  if (asks && !canAsk()) {
    throw new CommandFailure(
      `there is no terminal to confirm on: repeat the command with --yes to ${verb} without confirmation`,
    )
  }
  const offerAll = names.length > 1
  const choices = offerAll
    ? `[y/n/a] where 'a' is to ${verb} all specified ${what} without prompting `
    : '[y/n] '
  for (const named of names) {
    const shown = printable(typeof named === 'string' ? named : named.name)
    const answer = asks
      ? await askYesNoAll(`Are you sure you want to ${verb} '${shown}'? ${choices}`, { offerAll, signal })
      : 'yes'
    if (answer === 'no') {
      process.stdout.write(`The command to ${verb} '${shown}' was cancelled.\n`)
      continue
    }
    if (answer === 'all') asks = false
    yield named
  }
}
