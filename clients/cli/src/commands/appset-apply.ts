import { Option } from 'commander'
import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { addSetInput, readApplicationSets } from '../application-sets/input.ts'
import { addYesFlag } from '../application-sets/deletions.ts'
import type { SetInputFlags } from '../application-sets/input.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { printable } from '../output/printable.ts'
import { printWarnings } from '../applications/stored-warnings.ts'

interface ApplyFlags extends SetInputFlags {
  dryRun?: boolean
  confirm?: boolean
  yes?: boolean
  output?: 'name' | 'json' | 'yaml'
}

/** Adds `appset apply`. */
export function addSetApplyCommand(appset: Command, session: CommandSession): void {
  const command = addYesFlag(addSetInput(appset.command('apply')))
    .option('--dry-run', 'check everything and show which Applications would change, store nothing')
    .option('--confirm', 'confirm deletions, even of many or all Applications of a set; includes --yes')
    .addOption(new Option('-o, --output <format>', 'output').choices(['name', 'json', 'yaml']))
    .action((inputs: string[], flags: ApplyFlags) => applyInputs(session, inputs, flags))
  explain(command, 'Create or change ApplicationSets and their Applications.', [
    'wadi appset apply cluster-addons.yaml',
    'wadi appset apply sets/ --dry-run',
    'cat cluster-addons.yaml | wadi appset apply - --yes',
  ])
  command.addHelpText(
    'after',
    '\nExit codes: 0 done; 20 a set is rejected, or nobody agreed to its deletions, and none is stored; 20 also if the sets are ' +
      'stored but deletions\nof their Applications need a confirmation: use --confirm or "wadi appset ' +
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
  const { changeSummary, changeTable, requireNoneWithheld, reportWithheld, reportWouldWait } =
    await import('../application-sets/changes.ts')
  const waiting: string[] = []
  const { dryRun = false, confirm = false, yes = confirm } = flags
  const stored: JsonObject[] = []
  await applySets(session, sets, { upsert: true, dryRun, confirmDeletions: confirm, yes }, (answer) => {
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
    if (dryRun) reportWouldWait(session, name, answer)
    else waiting.push(...reportWithheld(session, name, answer.withheld))
  })
  if (flags.output === 'json' || flags.output === 'yaml') {
    const { printObjects } = await import('../output/object-output.ts')
    await printObjects(stored, flags.output)
  }
  if (!dryRun) requireNoneWithheld(waiting)
}
