import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { printable } from '../output/printable.ts'

interface DeleteFlags {
  yes?: boolean
}

/** Adds `proj delete`. */
export function addProjectDeleteCommand(proj: Command, session: CommandSession): void {
  const command = proj
    .command('delete')
    .argument('<project...>', 'projects')
    .option('-y, --yes', 'delete without confirmation; required without a terminal')
    .action((names: string[], flags: DeleteFlags) => deleteProjects(session, names, flags))
  explain(command, 'Delete projects that no Application belongs to.', ['wadi proj delete dev --yes'])
  completeWith(command, 'projects')
}

async function deleteProjects(session: CommandSession, names: string[], flags: DeleteFlags): Promise<void> {
  const { signal } = session
  const confirmation = { yes: flags.yes ?? false, what: 'projects', verb: 'delete', signal }
  for await (const name of confirmedNames(names, confirmation)) {
    const { projects } = await session.connect('projects')
    await projects.deleteProject({ name }, { signal })
    process.stdout.write(`project '${printable(name)}' deleted\n`)
  }
}
