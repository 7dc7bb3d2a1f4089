import type { Command } from 'commander'
import type { ClusterFormat } from '../clusters/cluster-output.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { outputOption } from '../output/output-option.ts'

interface ListFlags {
  output: ClusterFormat
}

/** Adds `cluster list`. */
export function addClusterListCommand(cluster: Command, session: CommandSession): void {
  const command = cluster
    .command('list')
    .addOption(outputOption('wide', 'server', 'name', 'json', 'yaml'))
    .action((flags: ListFlags) => listClusters(session, flags))
  explain(command, 'List the clusters that you may see.', [
    'wadi cluster list',
    'wadi cluster list -o server',
  ])
}

async function listClusters(session: CommandSession, { output }: ListFlags): Promise<void> {
  const server = await session.connect('clusters')
  const { clusters } = await server.clusters.listClusters({}, { signal: session.signal })
  const { clustersText } = await import('../clusters/cluster-output.ts')
  process.stdout.write(clustersText(clusters, output))
}
