import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { addSetInput, readApplicationSets } from '../application-sets/input.ts'
import { addYesFlag } from '../application-sets/deletions.ts'
import type { SetInputFlags } from '../application-sets/input.ts'
import { explain } from '../command-line/command-help.ts'
import { timeoutOption } from '../command-line/timeout-option.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { printable } from '../output/printable.ts'
import { printWarnings } from '../applications/stored-warnings.ts'
import { outputOption } from '../output/output-option.ts'

interface CreateFlags extends SetInputFlags {
  upsert?: boolean
  dryRun?: boolean
  yes?: boolean
  wait?: boolean
  timeout: number
  output: 'wide' | 'json' | 'yaml'
}

/** Adds `appset create`. */
export function addSetCreateCommand(appset: Command, session: CommandSession): void {
  const command = addYesFlag(addSetInput(appset.command('create')))
    .option('--upsert', 'change an existing set that differs')
    .option('--dry-run', 'check everything, store nothing')
    .option('--wait', 'wait until the generated Applications exist')
    .addOption(timeoutOption())
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((inputs: string[], flags: CreateFlags) => createSets(session, inputs, flags))
  explain(command, 'Create ApplicationSets. Nothing is stored until all of them are checked.', [
    'wadi appset create cluster-addons.yaml',
    'wadi appset create sets/ --dry-run',
    'wadi appset create https://example.com/cluster-addons.yaml --upsert --wait -o json',
  ])
  command.addHelpText(
    'after',
    '\nExit codes: 0 created or unchanged; 20 rejected, different without --upsert, or deletions need ' +
      'a confirmation.',
  )
}

async function createSets(
  session: CommandSession,
  inputs: readonly string[],
  flags: CreateFlags,
): Promise<void> {
  const sets = await readApplicationSets(session, inputs, flags)
  const { applySets } = await import('../application-sets/apply.ts')
  const { requireNoneWithheld, reportWithheld, reportWouldWait } =
    await import('../application-sets/changes.ts')
  const waiting: string[] = []
  const { upsert = false, dryRun = false, yes = false } = flags
  const stored: JsonObject[] = []
  await applySets(session, sets, { upsert, dryRun, confirmDeletions: false, yes }, async (answer) => {
    const { applicationSet: set = {}, outcome } = answer
    const name = printable(textAt(set, 'metadata', 'name'))
    printWarnings(answer.warnings)
    process.stderr.write(`ApplicationSet '${name}' ${outcome}${dryRun ? ' (dry-run)' : ''}\n`)
    if (dryRun) reportWouldWait(session, name, answer)
    else waiting.push(...reportWithheld(session, name, answer.withheld))
    stored.push(flags.wait && !dryRun ? await waitFor(session, set, flags.timeout) : set)
  })
  await printSets(stored, flags.output)
  if (!dryRun) requireNoneWithheld(waiting)
}

async function waitFor(
  session: CommandSession,
  set: JsonObject,
  timeoutSeconds: number,
): Promise<JsonObject> {
  const { waitUntilUpToDate } = await import('../application-sets/wait.ts')
  const { applicationSets } = await session.connect('applicationSets')
  const [namespace, name] = [textAt(set, 'metadata', 'namespace'), textAt(set, 'metadata', 'name')]
  const options = { signal: session.signal, timeoutSeconds }
  return waitUntilUpToDate(applicationSets, { namespace, name }, set, options)
}

async function printSets(sets: readonly JsonObject[], format: CreateFlags['output']): Promise<void> {
  if (format === 'wide') {
    const { applicationSetBlock } = await import('../application-sets/block.ts')
    process.stdout.write(sets.map(applicationSetBlock).join('\n'))
  } else {
    const { printObjects } = await import('../output/object-output.ts')
    await printObjects(sets, format)
  }
}
