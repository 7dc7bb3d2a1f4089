import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { ProjectFormat } from '../projects/project-output.ts'
import { outputOption } from '../output/output-option.ts'

interface ListFlags {
  output: ProjectFormat
}

/** Adds `proj list`. */
export function addProjectListCommand(proj: Command, session: CommandSession): void {
  const command = proj
    .command('list')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .action((flags: ListFlags) => listProjects(session, flags))
  explain(command, 'List the projects that you may see.', ['wadi proj list', 'wadi proj list -o name'])
}

async function listProjects(session: CommandSession, { output }: ListFlags): Promise<void> {
  const server = await session.connect('projects')
  const { projects } = await server.projects.listProjects({}, { signal: session.signal })
  const { projectsText } = await import('../projects/project-output.ts')
  process.stdout.write(projectsText(projects, output))
}
