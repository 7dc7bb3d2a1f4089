import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import type { SetDifference } from '../application-sets/diff.ts'
import { addSetInput, callForSet, readApplicationSets } from '../application-sets/input.ts'
import type { SetInputFlags } from '../application-sets/input.ts'
import { explain } from '../command-line/command-help.ts'
import { count } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { endUsageWithTrouble } from '../command-line/comparison-trouble.ts'
import { textAt } from '@wadi/fields/json-fields.ts'

interface DiffFlags extends SetInputFlags {
  exitCode: boolean
  diffExitCode: number
}

/** Adds `appset diff`. */
export function addSetDiffCommand(appset: Command, session: CommandSession): void {
  const command = addSetInput(appset.command('diff'))
    .option('--exit-code', 'exit with a non-zero code if there are differences', true)
    .option('--no-exit-code', 'exit with 0 even if there are differences')
    .option('--diff-exit-code <number>', 'the exit code to use', count, 1)
    .exitOverride(endUsageWithTrouble)
    .action((inputs: string[], flags: DiffFlags) => showDifferences(session, inputs, flags))
  explain(command, 'Show what "appset apply" would do to ApplicationSets and each of their Applications.', [
    'wadi appset diff cluster-addons.yaml',
    'wadi appset diff sets/ --exit-code=false',
  ])
  command.addHelpText(
    'after',
    '\nExit codes: 0 no change, 1 changes or deletions that need a confirmation, 2 wrong usage, 20 ' +
      'error.\nKUBECTL_EXTERNAL_DIFF selects another diff program.',
  )
}

async function showDifferences(
  session: CommandSession,
  inputs: readonly string[],
  flags: DiffFlags,
): Promise<void> {
  const sets = await readApplicationSets(session, inputs, flags)
  const { setDifferences } = await import('../application-sets/diff.ts')
  const { reportWouldWait } = await import('../application-sets/changes.ts')
  const { applicationSets } = await session.connect('applicationSets')
  const { signal } = session
  let isDifferent = false
  for (const set of sets) {
    const answer = await callForSet(set, () =>
      applicationSets.applyApplicationSet(
        { applicationSet: set.object, upsert: true, dryRun: true },
        { signal },
      ),
    )
    const stored = answer.outcome === 'updated' ? await readStored(session, answer.applicationSet) : {}
    reportWouldWait(session, textAt(set.object, 'metadata', 'name'), answer)
    for (const difference of setDifferences(answer, stored)) {
      await show(session, difference)
      if (difference.reason === '' || answer.withheld !== '') isDifferent = true
    }
  }
  if (isDifferent && flags.exitCode) process.exitCode = flags.diffExitCode
}

async function readStored(session: CommandSession, set: JsonObject | undefined): Promise<JsonObject> {
  const { getApplicationSet } = await import('../application-sets/owner.ts')
  const { applicationSets } = await session.connect('applicationSets')
  const [namespace, name] = [textAt(set, 'metadata', 'namespace'), textAt(set, 'metadata', 'name')]
  return getApplicationSet(applicationSets, { namespace, name }, session.signal)
}

async function show(session: CommandSession, difference: SetDifference): Promise<void> {
  const { header, unifiedDiff } = await import('../applications/manifest-diff.ts')
  const { withoutTerminalControls } = await import('../output/printable.ts')
  const externalDiff = session.environment['KUBECTL_EXTERNAL_DIFF']
  if (difference.reason === '' && !externalDiff) {
    const text = unifiedDiff(difference, { before: 'stored', after: 'generated' })
    process.stdout.write(withoutTerminalControls(text))
    return
  }
  process.stdout.write(`\n${withoutTerminalControls(header(difference))}\n`)
  if (difference.reason !== '') process.stdout.write(`${difference.reason}\n`)
  else if (externalDiff) {
    const { runExternalDiff } = await import('../applications/external-diff.ts')
    await runExternalDiff(externalDiff, difference, session.signal)
  }
}
