import type { KubernetesClient } from '../kubernetes-client.ts'

/** A cluster that is to keep the contract; its members are available from the first test on. */
export interface ContractCluster {
  /** A client of the cluster's administrator. */
  readonly client: KubernetesClient
  /** Makes a namespace that no other test uses, and returns its name. */
  createNamespace(): Promise<string>
}
