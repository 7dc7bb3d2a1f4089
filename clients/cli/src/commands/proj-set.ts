import type { Command } from 'commander'
import { explain } from '../command-help.ts'
import type { CommandSession } from '../command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { printable } from '../printable.ts'
import { addSpecFlags } from '../project-flags.ts'
import type { SpecFlags } from '../project-spec.ts'

/** Adds `proj set`. */
export function addProjectSetCommand(proj: Command, session: CommandSession): void {
  const command = addSpecFlags(proj.command('set').argument('<project>', 'project')).action(
    (name: string, flags: SpecFlags) => setProject(session, command, name, flags),
  )
  explain(command, 'Change a project; a list that is given replaces the whole list.', [
    'wadi proj set dev --description "Everything in development"',
    'wadi proj set dev --src https://git.example.com/deploy.git --src https://git.example.com/charts.git',
  ])
  completeWith(command, 'projects')
}

async function setProject(
  session: CommandSession,
  command: Command,
  name: string,
  flags: SpecFlags,
): Promise<void> {
  if (Object.keys(flags).length === 0) command.help({ error: true })
  const { changeProject } = await import('../project-change.ts')
  const { withSpecFlags } = await import('../project-spec.ts')
  await changeProject(session, name, (spec) => withSpecFlags(spec, flags))
  process.stdout.write(`project '${printable(name)}' updated\n`)
}
