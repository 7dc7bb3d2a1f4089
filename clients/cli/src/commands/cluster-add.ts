import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'

interface AddFlags {
  url?: string
  name?: string
  project?: string
  label?: string[]
  annotation?: string[]
  namespace?: string[]
  upsert?: boolean
}

/** Adds `cluster add`. */
export function addClusterAddCommand(cluster: Command, session: CommandSession): void {
  const command = cluster
    .command('add')
    .argument('<cluster>', 'URL of its API, its name with --url, or a kubectl context')
    .option('--url <url>', 'URL of its API (default: from the context in $KUBECONFIG or ~/.kube/config)')
    .option('--name <name>', 'display name (default: the given name, else the URL)')
    .option('--project <name>', 'AppProject that the cluster belongs to')
    .option('--label <key=value>', 'label for generators to select by (repeatable)', collect)
    .option('--annotation <key=value>', 'annotation (repeatable)', collect)
    .option('--namespace <name>', 'namespace to deploy to (repeatable; default: all)', collect)
    .option('--upsert', 'replace an existing cluster that differs')
    .action((argument: string, flags: AddFlags) => addCluster(session, argument, flags))
  explain(command, 'Store the address and the labels of a cluster.', [
    'wadi cluster add staging --label env=staging',
    'wadi cluster add https://prod.example.com:6443 --name prod --label env=prod --project prod',
  ])
  command.addHelpText(
    'after',
    '\nWadi connects to no cluster and stores no cluster credentials: it reads only the address from a kubectl context.',
  )
}

async function addCluster(session: CommandSession, argument: string, flags: AddFlags): Promise<void> {
  const isUrl = /^https?:\/\//i.test(argument)
  if (isUrl && flags.url !== undefined) {
    throw new CommandFailure('the address is given twice: leave --url out, or give a name before it', 1)
  }
  const labels = keyValues(flags.label, '--label')
  const annotations = keyValues(flags.annotation, '--annotation')
  const { kubernetesServer } = await import('../clusters/kubeconfig.ts')
  const server = isUrl ? argument : (flags.url ?? (await kubernetesServer(argument, session.environment)))
  const { clusters } = await session.connect('clusters')
  const { cluster } = await clusters.createCluster(
    {
      cluster: {
        server,
        name: flags.name ?? (isUrl ? '' : argument),
        project: flags.project ?? '',
        labels,
        annotations,
        namespaces: flags.namespace ?? [],
      },
      upsert: flags.upsert ?? false,
    },
    { signal: session.signal },
  )
  process.stdout.write(`Cluster '${printable(cluster?.server ?? server)}' added\n`)
}

function keyValues(texts: readonly string[] | undefined, flag: string): Record<string, string> {
  const pairs = (texts ?? []).map((text): [string, string] => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (key === undefined || value === undefined) {
      throw new CommandFailure(`${flag} takes key=value, not ${JSON.stringify(text)}`, 1)
    }
    return [key, value]
  })
  return Object.fromEntries(pairs)
}
