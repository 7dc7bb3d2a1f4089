import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { printable } from '../output/printable.ts'

interface RemoveFlags {
  yes?: boolean
}

/** Adds `cluster rm`. */
export function addClusterRemoveCommand(cluster: Command, session: CommandSession): void {
  const command = cluster
    .command('rm')
    .argument('<cluster...>', 'URLs or names')
    .option('-y, --yes', 'remove without confirmation; required without a terminal')
    .action((names: string[], flags: RemoveFlags) => removeClusters(session, names, flags))
  explain(command, 'Remove clusters from Wadi. Nothing changes in them.', ['wadi cluster rm staging --yes'])
  completeWith(command, 'clusters')
}

async function removeClusters(session: CommandSession, names: string[], flags: RemoveFlags): Promise<void> {
  const { signal } = session
  const confirmation = { yes: flags.yes ?? false, what: 'clusters', verb: 'remove', signal }
  for await (const name of confirmedNames(names, confirmation)) {
    const { clusters } = await session.connect('clusters')
    await clusters.deleteCluster({ cluster: name }, { signal })
    process.stdout.write(`Cluster '${printable(name)}' removed\n`)
  }
}
