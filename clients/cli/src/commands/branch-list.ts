import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { listBranches } from '../branches/list-branches.ts'
import type { BranchListFormat } from '../branches/branch-output.ts'
import { outputOption } from '../output/output-option.ts'

interface ListFlags {
  output: BranchListFormat
  phase?: string[]
}

/** Adds `branch list`. */
export function addBranchListCommand(branch: Command, session: CommandSession): void {
  const command = branch
    .command('list')
    .argument('[text]', 'part of the repository or the branch')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .option(
      '--phase <phase>',
      'only branches in this phase: Hydrating, Hydrated or Failed (repeatable)',
      collect,
    )
    .action((text: string | undefined, flags: ListFlags) => printList(session, text ?? '', flags))
  explain(command, 'List the hydrated branches with an Application that you may see.', [
    'wadi branch list',
    'wadi branch list environments/ --phase Failed',
    'wadi branch list -o name',
  ])
}

async function printList(session: CommandSession, text: string, flags: ListFlags): Promise<void> {
  const { branches, queueError } = await listBranches(session, { text, phases: flags.phase ?? [] })
  if (queueError !== '') session.warn(`the queue cannot be read: ${queueError}`)
  const { branchListText } = await import('../branches/branch-output.ts')
  process.stdout.write(branchListText(branches, flags.output))
}
