import type { JsonObject } from '@bufbuild/protobuf'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { printable } from '../output/printable.ts'
import type { ProjectDestination } from '../projects/project-spec.ts'

/** Adds `proj add-destination` and `remove-destination`. */
export function addProjectDestinationCommands(proj: Command, session: CommandSession): void {
  const command = (name: string) =>
    proj
      .command(name)
      .argument('<project>', 'project')
      .argument('<cluster>', "URL of the cluster's API, or with --name its name")
      .argument('<namespace>', 'namespace, or a pattern of namespaces')
      .option('--name', 'the cluster is a name, not a URL')
  const destinationOf = (
    cluster: string,
    namespace: string,
    { name }: { name?: boolean },
  ): ProjectDestination => ({
    server: name ? '' : cluster,
    name: name ? cluster : '',
    namespace,
  })
  explain(
    command('add-destination').action(
      (project: string, cluster: string, namespace: string, flags: { name?: boolean }) =>
        addDestination(session, project, destinationOf(cluster, namespace, flags)),
    ),
    'Add a destination to a project.',
    [
      'wadi proj add-destination dev https://kubernetes.default.svc dev',
      "wadi proj add-destination dev staging 'dev-*' --name",
    ],
  )
  explain(
    command('remove-destination').action(
      (project: string, cluster: string, namespace: string, flags: { name?: boolean }) =>
        removeDestination(session, project, destinationOf(cluster, namespace, flags)),
    ),
    'Remove a destination from a project.',
    ['wadi proj remove-destination dev https://kubernetes.default.svc dev'],
  )
}

async function addDestination(
  session: CommandSession,
  project: string,
  wanted: ProjectDestination,
): Promise<void> {
  const { changeProject } = await import('../projects/project-change.ts')
  const { destinationObject, objectsAt } = await import('../projects/project-spec.ts')
  const isChanged = await changeProject(session, project, (spec) => {
    const destinations = objectsAt(spec, 'destinations')
    if (destinations.some((known) => isSame(known, wanted))) return undefined
    return { ...spec, destinations: [...destinations, destinationObject(wanted)] }
  })
  const outcome = isChanged ? 'added to' : 'already defined in'
  process.stdout.write(`Destination '${textOf(wanted)}' ${outcome} project '${printable(project)}'\n`)
}

async function removeDestination(
  session: CommandSession,
  project: string,
  wanted: ProjectDestination,
): Promise<void> {
  const { changeProject } = await import('../projects/project-change.ts')
  const { objectsAt } = await import('../projects/project-spec.ts')
  await changeProject(session, project, (spec) => {
    const destinations = objectsAt(spec, 'destinations')
    const others = destinations.filter((known) => !isSame(known, wanted))
    if (others.length < destinations.length) return { ...spec, destinations: others }
    throw new CommandFailure(
      `Destination '${textOf(wanted)}' does not exist in project '${printable(project)}'; see "wadi proj get"`,
    )
  })
  process.stdout.write(`Destination '${textOf(wanted)}' removed from project '${printable(project)}'\n`)
}

/** An address that is there decides, and else the name. */
function isSame(known: JsonObject, { server, name, namespace }: ProjectDestination): boolean {
  if (textAt(known, 'namespace') !== namespace) return false
  return server === '' ? textAt(known, 'name') === name : textAt(known, 'server') === server
}

function textOf({ server, name, namespace }: ProjectDestination): string {
  return printable(`${server || name},${namespace}`)
}
