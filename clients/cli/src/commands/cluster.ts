import { type Command, Option } from 'commander'
import type { ClusterFormat } from '../clusters/cluster-output.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'
import { printable } from '../output/printable.ts'
import { addClusterAddCommand } from './cluster-add.ts'

/** Defines the sub-commands of `cluster`. */
export function defineClusterCommands(cluster: Command, session: CommandSession): void {
  showExamples(
    cluster,
    'wadi cluster list',
    'wadi cluster add staging --url https://staging.example.com:6443',
  )
  addClusterAddCommand(cluster, session)
  addClusterListCommand(cluster, session)
  addClusterGetCommand(cluster, session)
  addClusterRemoveCommand(cluster, session)
}

/** Adds `cluster list`. */
function addClusterListCommand(cluster: Command, session: CommandSession): void {
  const command = cluster
    .command('list')
    .addOption(outputOption('wide', 'server', 'name', 'json', 'yaml'))
    .action((flags: { output: ClusterFormat }) => listClusters(session, flags))
  explain(command, 'List the clusters that you may see.', [
    'wadi cluster list',
    'wadi cluster list -o server',
  ])
}

async function listClusters(session: CommandSession, { output }: { output: ClusterFormat }): Promise<void> {
  const server = await session.connect('clusters')
  const { clusters } = await server.clusters.listClusters({}, { signal: session.signal })
  const { clustersText } = await import('../clusters/cluster-output.ts')
  process.stdout.write(clustersText(clusters, output))
}

/** Adds `cluster get`. */
function addClusterGetCommand(cluster: Command, session: CommandSession): void {
  const command = cluster
    .command('get')
    .argument('<cluster>', 'its URL or its name')
    .addOption(
      new Option('-o, --output <format>', 'output')
        .choices(['wide', 'server', 'name', 'json', 'yaml'])
        .default('yaml'),
    )
    .action((name: string, flags: { output: ClusterFormat }) => getCluster(session, name, flags))
  explain(command, 'Show a cluster.', ['wadi cluster get in-cluster', 'wadi cluster get staging -o wide'])
  completeWith(command, 'clusters')
}

async function getCluster(
  session: CommandSession,
  name: string,
  { output }: { output: ClusterFormat },
): Promise<void> {
  const { clusters } = await session.connect('clusters')
  const { cluster } = await clusters.getCluster({ cluster: name }, { signal: session.signal })
  if (!cluster) throw new CommandFailure(`the server returned nothing about cluster ${JSON.stringify(name)}`)
  const { clusterText } = await import('../clusters/cluster-output.ts')
  process.stdout.write(clusterText(cluster, output))
}

/** Adds `cluster rm`. */
function addClusterRemoveCommand(cluster: Command, session: CommandSession): void {
  const command = cluster
    .command('rm')
    .argument('<cluster...>', 'URLs or names')
    .option('-y, --yes', 'remove without confirmation; required without a terminal')
    .action((names: string[], flags: { yes?: boolean }) => removeClusters(session, names, flags))
  explain(command, 'Remove clusters from Wadi. Nothing changes in them.', ['wadi cluster rm staging --yes'])
  completeWith(command, 'clusters')
}

async function removeClusters(
  session: CommandSession,
  names: string[],
  flags: { yes?: boolean },
): Promise<void> {
  const { signal } = session
  const confirmation = { yes: flags.yes ?? false, what: 'clusters', verb: 'remove', signal }
  for await (const name of confirmedNames(names, confirmation)) {
    const { clusters } = await session.connect('clusters')
    await clusters.deleteCluster({ cluster: name }, { signal })
    process.stdout.write(`Cluster '${printable(name)}' removed\n`)
  }
}
