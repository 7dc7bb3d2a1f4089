import type { ClusterConfig } from '@wadi/kubernetes/config/cluster-config.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { passwordSecrets } from '@wadi/testing/known-passwords.ts'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { lendKubernetesPlane } from '@wadi/testing/kubernetes-plane/lent-plane.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'

/** A cluster of its own, since the namespace of the control plane has one name. */
export interface OwnCluster extends AsyncDisposable {
  readonly config: ClusterConfig
  /** Ends the API server without a word; objects stay, and the history goes. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** The API server answers nothing, and keeps its connections. */
  freeze(): void
  thaw(): void
  /** Answers the next requests with 429 and this time to wait, in seconds; undefined where nothing makes it too busy. */
  readonly beBusy: ((requests: number, retryAfterSeconds: number) => void) | undefined
  /** Returns a token of a service account in `argocd` for one audience; the account is created if there is none. */
  accountToken(account: string, audience: string): Promise<string>
  /** Requests since the start, as `verb plural`; undefined where they are not counted. */
  readonly requests: readonly string[] | undefined
}

const controlPlane = 'argocd'
const namespaces = [controlPlane, 'wadi-write']

/** The stand-in, which is always there, and a real API server. */
export const ownClusterKinds = [
  { name: 'stand-in', missing: undefined, open: openStandIn },
  { name: 'API server', missing: planeMissing(), open: openPlane },
]

/** Opens a stand-in with the namespaces and passwords of an installation. */
export async function openStandIn(): Promise<OwnCluster> {
  await using owned = new AsyncDisposableStack()
  const api = owned.use(await startKubernetesApi())
  await api.applyCrds(...crdFiles)
  for (const name of namespaces) api.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const secret of passwordSecrets(controlPlane)) api.put(secret)
  const kept = owned.move()
  return {
    config: api.config,
    kill: async () => {
      api.relay.refuse()
      api.compact()
    },
    restart: async () => api.relay.accept(),
    freeze: () => api.relay.freeze(),
    thaw: () => api.relay.thaw(),
    beBusy: (requests, retryAfterSeconds) => {
      api.admission.beBusy(requests, retryAfterSeconds)
      api.endWatches()
    },
    accountToken: async (account, audience) =>
      api.accounts.token({ namespace: controlPlane, account, audience }),
    requests: api.requests,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function openPlane(): Promise<OwnCluster> {
  await using owned = new AsyncDisposableStack()
  const { plane } = owned.use(await lendKubernetesPlane())
  await plane.applyCrds(...crdFiles)
  for (const name of namespaces) await plane.create('/api/v1/namespaces', { metadata: { name } })
  for (const secret of passwordSecrets(controlPlane))
    await plane.create(`/api/v1/namespaces/${controlPlane}/secrets`, secret)
  const kept = owned.move()
  return {
    config: {
      server: plane.server,
      namespace: undefined,
      tls: async () => ({ ca: plane.ca }),
      bearerToken: async () => plane.adminToken,
    },
    kill: () => plane.stopApiServer(),
    restart: () => plane.startApiServer(),
    freeze: () => plane.signalApiServer('SIGSTOP'),
    thaw: () => plane.signalApiServer('SIGCONT'),
    beBusy: undefined,
    accountToken: async (account, audience) => plane.accountToken(controlPlane, account, [audience]),
    requests: undefined,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
