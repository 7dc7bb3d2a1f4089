import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { defaultDataDirectory } from '../connection/data-directory.ts'

interface PasswordFlags {
  data?: string
  kubeconfig?: string
  namespace?: string
}

const secretName = 'argocd-initial-admin-secret'

/** Adds `admin initial-password`. */
export function addInitialPasswordCommand(admin: Command, session: CommandSession): void {
  const command = admin
    .command('initial-password')
    .option('--data <directory>', 'data directory of "wadi up" (default: as for "wadi up")')
    .option(
      '--kubeconfig <file>',
      'kubeconfig of the cluster that Wadi is installed in, instead of a data directory',
    )
    .option(
      '--namespace <name>',
      "namespace of Wadi in the cluster (default: that of the kubeconfig's context)",
    )
    .action((flags: PasswordFlags) => printInitialPassword(session, flags))
  explain(command, 'Print the initial password of the account admin, until it is changed.', [
    'wadi admin initial-password',
    'wadi admin initial-password --data ./wadi-data',
    'wadi admin initial-password --kubeconfig ~/.kube/config --namespace wadi',
  ])
}

async function printInitialPassword(session: CommandSession, flags: PasswordFlags): Promise<void> {
  const { WADI_STORE: store, WADI_KUBECONFIG: kubeconfig } = session.environment
  const isInCluster = flags.kubeconfig !== undefined || (flags.data === undefined && store === 'kubernetes')
  if (isInCluster && flags.data !== undefined) {
    throw new CommandFailure('give either --data or --kubeconfig')
  }
  const secret = isInCluster
    ? await readFromCluster(session, flags.kubeconfig ?? kubeconfig, flags.namespace)
    : await readFromDirectory(session, flags)
  const encoded = secret?.data?.['password']
  if (encoded === undefined) {
    throw new CommandFailure(
      isInCluster
        ? `there is no Secret ${secretName}: the password was changed, no gateway has started there yet, or Wadi is in another namespace (--namespace)`
        : 'there is no initial password: it was changed, or "wadi up" has never run on this data',
    )
  }
  process.stdout.write(`${Buffer.from(encoded, 'base64').toString('utf8')}\n`)
}

async function readFromDirectory(
  session: CommandSession,
  { data }: PasswordFlags,
): Promise<Resource | undefined> {
  const directory = resolve(data ?? defaultDataDirectory(session.environment))
  const file = join(directory, 'state.db')
  // Opening a store would make one.
  if (!(await stat(file, { throwIfNoEntry: false }))) {
    throw new CommandFailure(
      `${directory} is not a data directory of "wadi up"; name it with --data, or a cluster with --kubeconfig`,
    )
  }
  const { openSqliteStore } = await import('@wadi/resources/store/sqlite-store.ts')
  const { controlPlaneNamespace } = await import('@wadi/resources/control-plane-namespace.ts')
  await using store = openSqliteStore({ file })
  return await store.get('Secret', controlPlaneNamespace, secretName)
}

/** Without a kubeconfig this is a pod of Wadi. */
async function readFromCluster(
  { environment }: CommandSession,
  file: string | undefined,
  namespace: string | undefined,
): Promise<Resource | undefined> {
  const { KubernetesClient } = await import('@wadi/kubernetes/client/kubernetes-client.ts')
  const { findClusterConfig } = await import('@wadi/kubernetes/config/find-cluster-config.ts')
  const { storedKind } = await import('@wadi/kubernetes/store/stored-kinds.ts')
  const config = await findClusterConfig(file, environment)
  await using client = new KubernetesClient(config)
  const inNamespace = namespace ?? environment['WADI_NAMESPACE'] ?? config.namespace ?? 'argocd'
  try {
    return await client.get(storedKind('Secret').resource, { namespace: inNamespace, name: secretName })
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}
