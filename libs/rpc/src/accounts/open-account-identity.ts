import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { findClusterConfig } from '@wadi/kubernetes/config/find-cluster-config.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { findServiceKey } from '../service-identity.ts'
import type { ServiceIdentity } from '../service-identity.ts'
import { createAccountIdentity } from './account-identity.ts'
import { AccountKeys } from './account-keys.ts'
import { findAccountTokens } from './account-tokens.ts'
import { ServiceAccounts } from './service-accounts.ts'

/**
 * Opens the identity of a service by its ServiceAccount; the keys of the cluster are read when the first caller comes.
 * @throws InvalidInputError for settings, FailedPreconditionError outside of a pod without a kubeconfig
 */
export async function openAccountIdentity(
  service: string,
  settings: {
    serviceTokensDirectory: string
    serviceAccounts: readonly string[]
    serviceKeyFile: string
    kubeconfig?: string | undefined
  },
): Promise<ServiceIdentity> {
  const config = await findClusterConfig(settings.kubeconfig)
  return createAccountIdentity({
    service,
    tokens: await findAccountTokens(settings.serviceTokensDirectory),
    accounts: ServiceAccounts.read(settings.serviceAccounts, controlPlaneNamespace),
    keys: new AccountKeys(async () => {
      await using client = new KubernetesClient(config)
      return await client.accountIssuer()
    }),
    key: await findServiceKey(settings.serviceKeyFile),
  })
}
