import type { Command } from 'commander'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'
import { printable } from '../output/printable.ts'
import { addSpecFlags } from '../projects/project-flags.ts'
import type { ProjectFormat } from '../projects/project-output.ts'
import type { SpecFlags } from '../projects/project-spec.ts'
import { addProjectCreateCommand } from './proj-create.ts'
import { addProjectDestinationCommands } from './proj-destination.ts'
import { addProjectRoleCommands } from './proj-role.ts'
import { addProjectSourceCommands } from './proj-source.ts'

/** Defines the sub-commands of `proj`. */
export function defineProjectCommands(proj: Command, session: CommandSession): void {
  showExamples(
    proj,
    'wadi proj list',
    'wadi proj create dev --src https://git.example.com/deploy.git --dest https://kubernetes.default.svc,dev',
  )
  addProjectListCommand(proj, session)
  addProjectGetCommand(proj, session)
  addProjectCreateCommand(proj, session)
  addProjectSetCommand(proj, session)
  addProjectDeleteCommand(proj, session)
  addProjectSourceCommands(proj, session)
  addProjectDestinationCommands(proj, session)
  addProjectRoleCommands(proj, session)
}

/** Adds `proj list`. */
function addProjectListCommand(proj: Command, session: CommandSession): void {
  const command = proj
    .command('list')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .action((flags: { output: ProjectFormat }) => listProjects(session, flags))
  explain(command, 'List the projects that you may see.', ['wadi proj list', 'wadi proj list -o name'])
}

async function listProjects(session: CommandSession, { output }: { output: ProjectFormat }): Promise<void> {
  const server = await session.connect('projects')
  const { projects } = await server.projects.listProjects({}, { signal: session.signal })
  const { projectsText } = await import('../projects/project-output.ts')
  process.stdout.write(projectsText(projects, output))
}

/** Adds `proj get`. */
function addProjectGetCommand(proj: Command, session: CommandSession): void {
  const command = proj
    .command('get')
    .argument('<project>', 'project')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .action((name: string, flags: { output: ProjectFormat }) => getProject(session, name, flags))
  explain(command, 'Show a project.', ['wadi proj get default', 'wadi proj get dev -o yaml'])
  completeWith(command, 'projects')
}

async function getProject(
  session: CommandSession,
  name: string,
  { output }: { output: ProjectFormat },
): Promise<void> {
  const { projects } = await session.connect('projects')
  const { project = {} } = await projects.getProject({ name }, { signal: session.signal })
  const { projectText } = await import('../projects/project-output.ts')
  process.stdout.write(projectText(project, output))
}

/** Adds `proj delete`. */
function addProjectDeleteCommand(proj: Command, session: CommandSession): void {
  const command = proj
    .command('delete')
    .argument('<project...>', 'projects')
    .option('-y, --yes', 'delete without confirmation; required without a terminal')
    .action((names: string[], flags: { yes?: boolean }) => deleteProjects(session, names, flags))
  explain(command, 'Delete projects that no Application belongs to.', ['wadi proj delete dev --yes'])
  completeWith(command, 'projects')
}

async function deleteProjects(
  session: CommandSession,
  names: string[],
  flags: { yes?: boolean },
): Promise<void> {
  const { signal } = session
  const confirmation = { yes: flags.yes ?? false, what: 'projects', verb: 'delete', signal }
  for await (const name of confirmedNames(names, confirmation)) {
    const { projects } = await session.connect('projects')
    await projects.deleteProject({ name }, { signal })
    process.stdout.write(`project '${printable(name)}' deleted\n`)
  }
}

/** Adds `proj set`. */
function addProjectSetCommand(proj: Command, session: CommandSession): void {
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
