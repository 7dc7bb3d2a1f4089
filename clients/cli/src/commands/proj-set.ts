import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { printable } from '../output/printable.ts'
import { addSpecFlags } from '../projects/project-flags.ts'
import type { SpecFlags } from '../projects/project-spec.ts'

/** Adds `proj set`. */
export function addProjectSetCommand(proj: Command, session: CommandSession): void {
  const command = addSpecFlags(proj.command('set').argument('<project>', 'project')).action(
    (name: string, flags: SpecFlags) => setProject(session, command, name, flags),
  )
  explain(command, 'Change a project. A list replaces the whole previous list.', [
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
  const { changeProject } = await import('../projects/project-change.ts')
  const { withSpecFlags } = await import('../projects/project-spec.ts')
  await changeProject(session, name, (spec) => withSpecFlags(spec, flags))
  process.stdout.write(`project '${printable(name)}' updated\n`)
}
