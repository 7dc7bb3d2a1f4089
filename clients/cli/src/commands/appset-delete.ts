import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import type { QualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import { timeoutOption } from '../command-line/timeout-option.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { askYesNoAll, canAsk } from '../command-line/confirmation.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { printable } from '../output/printable.ts'

interface DeleteFlags {
  yes?: boolean
  cascade: boolean
  wait?: boolean
  timeout: number
  appsetNamespace?: string
}

/** Adds `appset delete`. */
export function addSetDeleteCommand(appset: Command, session: CommandSession): void {
  const command = appset
    .command('delete')
    .argument('<name...>', 'NAME or NAMESPACE/NAME')
    .option('-y, --yes', 'delete without confirmation; required without a terminal')
    .option('--cascade', 'delete the Applications too', true)
    .option('--no-cascade', 'keep the Applications, without an owner (also --cascade=false)')
    .option('--wait', 'wait until the sets are deleted')
    .addOption(timeoutOption())
    .option('-N, --appset-namespace <namespace>', 'namespace of the sets')
    .action((names: string[], flags: DeleteFlags) => deleteSets(session, names, flags))
  explain(command, 'Delete ApplicationSets and all their Applications.', [
    'wadi appset delete cluster-addons',
    'wadi appset delete cluster-addons teams/guestbook --yes --wait',
    'wadi appset delete cluster-addons --cascade=false',
  ])
  command.addHelpText(
    'after',
    '\nExit codes: 0 deleted, or kept because the answer was no; 20 failed. Unlike argocd, it ' +
      'deletes\nnothing without --yes if standard input or output is not a terminal.',
  )
  completeWith(command, 'application-sets')
}

async function deleteSets(session: CommandSession, names: string[], flags: DeleteFlags): Promise<void> {
  const qualified = names.map((name) => parseQualifiedName(name, flags.appsetNamespace))
  let asks = !flags.yes
  if (asks && !canAsk()) {
    throw new CommandFailure(
      'there is no terminal to confirm on: repeat the command with --yes to delete without confirmation',
    )
  }
  for (const set of qualified) {
    const name = printable(set.name)
    const shown = asks ? await shownSet(session, set, flags) : undefined
    if (shown) {
      const options = {
        shown: shown.applications,
        offerAll: names.length > 1,
        cascade: flags.cascade,
        signal: session.signal,
      }
      const answer = await ask(name, options)
      if (answer === 'no') {
        process.stdout.write(`The command to delete '${name}' was cancelled.\n`)
        continue
      }
      if (answer === 'all') asks = false
    }
    const applications = await deleteSet(session, set, { ...flags, ...(shown && { shown }) })
    process.stdout.write(`applicationset '${name}' deleted\n`)
    if (applications === 0) continue
    const done = flags.cascade ? 'deleted with it' : 'kept, without an owner'
    process.stderr.write(`Applications of '${name}': ${applications} ${done}\n`)
  }
}

/** A set as somebody who is asked sees it. */
interface ShownSet {
  version: string
  /** The names of the Applications that its deletion would concern. */
  applications: string[]
}

async function shownSet(
  session: CommandSession,
  set: QualifiedName,
  { cascade }: DeleteFlags,
): Promise<ShownSet> {
  const { applicationSets } = await session.connect('applicationSets')
  const { signal } = session
  const { version } = await applicationSets.getApplicationSet(set, { signal })
  const request = { ...set, orphan: !cascade, dryRun: true, version }
  return { version, ...(await applicationSets.deleteApplicationSet(request, { signal })) }
}

/** Deletes a set, if somebody was asked as it was shown and no Application but the shown ones; returns how many Applications were deleted or left. */
async function deleteSet(
  session: CommandSession,
  set: QualifiedName,
  { shown, ...flags }: DeleteFlags & { shown?: ShownSet },
): Promise<number> {
  const { applicationSets } = await session.connect('applicationSets')
  const { signal } = session
  const reviewed = shown && {
    isReviewed: true,
    reviewedApplications: shown.applications,
    version: shown.version,
  }
  const request = { ...set, orphan: !flags.cascade, ...reviewed }
  if (!flags.wait) {
    return (await applicationSets.deleteApplicationSet(request, { signal })).applications.length
  }
  const { applicationSet } = await applicationSets.getApplicationSet(set, { signal })
  const { applications } = await applicationSets.deleteApplicationSet(request, { signal })
  const { waitUntilGone } = await import('../application-sets/wait.ts')
  const uid = textAt(applicationSet, 'metadata', 'uid')
  await waitUntilGone(applicationSets, set, uid, { signal, timeoutSeconds: flags.timeout })
  return applications.length
}

interface Question {
  /** The Applications that the deletion concerns. */
  shown: readonly string[]
  offerAll: boolean
  cascade: boolean
  signal: AbortSignal
}

function ask(name: string, { shown, offerAll, cascade, signal }: Question) {
  const applications = shown.length === 0 ? 'no Application' : shown.map((each) => printable(each)).join(', ')
  process.stdout.write(`ApplicationSet '${name}' has ${applications}.\n`)
  const what = cascade ? `'${name}' and all its Applications` : `'${name}' and leave its Applications`
  const choices = offerAll
    ? `[y/n/a] where 'a' is to delete all specified ApplicationSets${cascade ? ' and their Applications' : ''} without prompting `
    : '[y/n] '
  return askYesNoAll(`Are you sure you want to delete ${what}? ${choices}`, { offerAll, signal })
}
