import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import type { ProjectFormat } from '../projects/project-output.ts'
import { outputOption } from '../output/output-option.ts'

interface GetFlags {
  output: ProjectFormat
}

/** Adds `proj get`. */
export function addProjectGetCommand(proj: Command, session: CommandSession): void {
  const command = proj
    .command('get')
    .argument('<project>', 'project')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .action((name: string, flags: GetFlags) => getProject(session, name, flags))
  explain(command, 'Show a project.', ['wadi proj get default', 'wadi proj get dev -o yaml'])
  completeWith(command, 'projects')
}

async function getProject(session: CommandSession, name: string, { output }: GetFlags): Promise<void> {
  const { projects } = await session.connect('projects')
  const { project = {} } = await projects.getProject({ name }, { signal: session.signal })
  const { projectText } = await import('../projects/project-output.ts')
  process.stdout.write(projectText(project, output))
}
