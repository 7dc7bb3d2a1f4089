import { Option } from 'commander'
import type { Command } from 'commander'
import type { ClusterFormat } from '../clusters/cluster-output.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'

interface GetFlags {
  output: ClusterFormat
}

/** Adds `cluster get`. */
export function addClusterGetCommand(cluster: Command, session: CommandSession): void {
  const command = cluster
    .command('get')
    .argument('<cluster>', 'its URL or its name')
    .addOption(
      new Option('-o, --output <format>', 'output')
        .choices(['wide', 'server', 'name', 'json', 'yaml'])
        .default('yaml'),
    )
    .action((name: string, flags: GetFlags) => getCluster(session, name, flags))
  explain(command, 'Show a cluster.', ['wadi cluster get in-cluster', 'wadi cluster get staging -o wide'])
  completeWith(command, 'clusters')
}

async function getCluster(session: CommandSession, name: string, { output }: GetFlags): Promise<void> {
  const { clusters } = await session.connect('clusters')
  const { cluster } = await clusters.getCluster({ cluster: name }, { signal: session.signal })
  if (!cluster) throw new CommandFailure(`the server returned nothing about cluster ${JSON.stringify(name)}`)
  const { clusterText } = await import('../clusters/cluster-output.ts')
  process.stdout.write(clusterText(cluster, output))
}
