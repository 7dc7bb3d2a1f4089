import type { ConnectionOptions } from 'node:tls'

/** The address of a Kubernetes API and the identity of a client there. */
export interface ClusterConfig {
  /** `https://host:port`, with a path where the API is behind a proxy. */
  readonly server: string
  /** The namespace that the configuration names; undefined when it names none. */
  readonly namespace: string | undefined
  /** Returns the CA and the client certificate of a new connection; called for each connection, so that a changed file is used. */
  readonly tls: () => Promise<ConnectionOptions>
  /** The token of the next request, not the refused one if there is another by now; undefined where a client certificate identifies the client. */
  readonly bearerToken: (refused?: string) => Promise<string | undefined>
}
