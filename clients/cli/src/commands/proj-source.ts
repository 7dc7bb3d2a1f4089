import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'

/** A list of texts in a project's spec. */
interface TextList {
  field: 'sourceRepos' | 'sourceNamespaces'
  /** The name of an item of it. */
  what: string
}

const repositories: TextList = { field: 'sourceRepos', what: 'Source repository' }
const namespaces: TextList = { field: 'sourceNamespaces', what: 'Source namespace' }

/** Adds `proj add-source`, `remove-source`, `add-source-namespace` and `remove-source-namespace`. */
export function addProjectSourceCommands(proj: Command, session: CommandSession): void {
  const command = (name: string, argument: string, what: string) =>
    proj.command(name).argument('<project>', 'project').argument(argument, what)
  explain(
    command('add-source', '<url>', 'repository, or a pattern of repositories').action(
      (project: string, url: string) => addItem(session, project, repositories, url),
    ),
    'Add a repository to a project.',
    ['wadi proj add-source dev https://git.example.com/deploy.git'],
  )
  explain(
    command('remove-source', '<url>', 'repository or pattern, as in the project').action(
      (project: string, url: string) => removeItem(session, project, repositories, url),
    ),
    'Remove a repository from a project.',
    ['wadi proj remove-source dev https://git.example.com/deploy.git'],
  )
  explain(
    command('add-source-namespace', '<namespace>', 'namespace, or a pattern of namespaces').action(
      (project: string, namespace: string) => addItem(session, project, namespaces, namespace),
    ),
    'Add a namespace for Applications to a project.',
    ['wadi proj add-source-namespace dev team-a'],
  )
  explain(
    command('remove-source-namespace', '<namespace>', 'namespace or pattern, as in the project').action(
      (project: string, namespace: string) => removeItem(session, project, namespaces, namespace),
    ),
    'Remove a namespace for Applications from a project.',
    ['wadi proj remove-source-namespace dev team-a'],
  )
}

async function addItem(
  session: CommandSession,
  project: string,
  { field, what }: TextList,
  item: string,
): Promise<void> {
  const { changeProject } = await import('../projects/project-change.ts')
  const { textsAt } = await import('../projects/project-spec.ts')
  const isChanged = await changeProject(session, project, (spec) => {
    const items = textsAt(spec, field)
    return items.includes(item) ? undefined : { ...spec, [field]: [...items, item] }
  })
  const outcome = isChanged ? 'added to' : 'already allowed in'
  process.stdout.write(`${what} '${printable(item)}' ${outcome} project '${printable(project)}'\n`)
}

async function removeItem(
  session: CommandSession,
  project: string,
  { field, what }: TextList,
  item: string,
): Promise<void> {
  const { changeProject } = await import('../projects/project-change.ts')
  const { textsAt } = await import('../projects/project-spec.ts')
  await changeProject(session, project, (spec) => {
    const items = textsAt(spec, field)
    const others = items.filter((known) => known !== item)
    if (others.length < items.length) return { ...spec, [field]: others }
    throw new CommandFailure(`${what} '${printable(item)}' does not exist in project '${printable(project)}'`)
  })
  process.stdout.write(`${what} '${printable(item)}' removed from project '${printable(project)}'\n`)
}
