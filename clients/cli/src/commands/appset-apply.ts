import { Option } from 'commander'
import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { addSetInput, readApplicationSets } from '../application-sets/input.ts'
import type { SetInputFlags } from '../application-sets/input.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '../objects/json-path.ts'
import { printable } from '../output/printable.ts'
import { printWarnings } from '../applications/stored-warnings.ts'

interface ApplyFlags extends SetInputFlags {
  dryRun?: boolean
  confirm?: boolean
  output?: 'name' | 'json' | 'yaml'
}

/** Adds `appset apply`. */
export function addSetApplyCommand(appset: Command, session: CommandSession): void {
  const command = addSetInput(appset.command('apply'))
    .option('--dry-run', 'check everything, show which Applications would change, and store nothing')
    .option('--confirm', 'also delete Applications when they are many of the set, or all')
    .addOption(new Option('-o, --output <format>', 'output').choices(['name', 'json', 'yaml']))
    .action((inputs: string[], flags: ApplyFlags) => applyInputs(session, inputs, flags))
  explain(command, 'Create ApplicationSets or change the stored ones, and their Applications with them.', [
    'wadi appset apply cluster-addons.yaml',
    'wadi appset apply sets/ --dry-run',
    'cat cluster-addons.yaml | wadi appset apply - --confirm',
  ])
  command.addHelpText(
    'after',
    '\nExit codes: 0 done; 20 the first set that is refused, none is stored when one of them is; 20 also when sets are ' +
      'stored but deletions\nof their Applications wait for a confirmation: give it with --confirm or with "wadi appset ' +
      'refresh NAME --confirm".',
  )
}

async function applyInputs(
  session: CommandSession,
  inputs: readonly string[],
  flags: ApplyFlags,
): Promise<void> {
  const sets = await readApplicationSets(session, inputs, flags)
  const { applySets } = await import('../application-sets/apply.ts')
  const { changeSummary, changeTable, requireNoneWithheld, tellWithheld, tellWouldWait } =
    await import('../application-sets/changes.ts')
  const waiting: string[] = []
  const { dryRun = false, confirm = false } = flags
  const stored: JsonObject[] = []
  await applySets(session, sets, { upsert: true, dryRun, confirmDeletions: confirm }, (answer) => {
    const { applicationSet: set = {}, changes } = answer
    const name = printable(textAt(set, 'metadata', 'name'))
    stored.push(set)
    printWarnings(answer.warnings)
    if (flags.output === 'name') process.stdout.write(`applicationset.argoproj.io/${name}\n`)
    if (flags.output === undefined) {
      const outcome = answer.outcome === 'updated' ? 'configured' : answer.outcome
      process.stdout.write(`applicationset.argoproj.io/${name} ${outcome}${dryRun ? ' (dry run)' : ''}\n`)
      if (dryRun) process.stdout.write(changeTable(changes))
    }
    const summary = changeSummary(changes)
    if (!dryRun && summary !== '') process.stderr.write(`Applications of '${name}': ${summary}\n`)
    if (dryRun) tellWouldWait(session, name, answer)
    else waiting.push(...tellWithheld(session, name, answer.withheld))
  })
  if (flags.output === 'json' || flags.output === 'yaml') {
    const { printObjects } = await import('../output/object-output.ts')
    await printObjects(stored, flags.output)
  }
  if (!dryRun) requireNoneWithheld(waiting)
}
