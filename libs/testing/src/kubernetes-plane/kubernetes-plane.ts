import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onFreePorts } from '../free-port.ts'
import { until } from '../until.ts'
import { PlaneEtcd } from './plane-etcd.ts'
import { makePlaneFiles, type PlaneFiles, writeKubeconfig } from './plane-files.ts'
import { type PlanePart, startPlanePart } from './plane-part.ts'
import { PlaneAccess } from './plane-access.ts'

/** A real etcd and kube-apiserver on this machine, with RBAC; ready in 3 to 6 s. Nothing runs pods or collects garbage. */
export class KubernetesPlane extends PlaneAccess implements AsyncDisposable {
  readonly #files: PlaneFiles
  readonly #etcd: PlanePart
  readonly #store: PlaneEtcd
  #apiServer: PlanePart | undefined
  /** The contents of etcd and the API server when the plane was new. */
  #atStart = { revision: 0, groups: '' }

  private constructor(state: {
    files: PlaneFiles
    ca: string
    adminToken: string
    etcd: PlanePart
    etcdPort: number
    port: number
  }) {
    const { ca, adminToken, port, files } = state
    super({ server: `https://127.0.0.1:${port}`, port, ca, adminToken, kubeconfig: files.kubeconfig })
    this.#files = files
    this.#etcd = state.etcd
    this.#store = new PlaneEtcd(state.etcdPort)
  }

  /** Starts a plane of its own, for tests that disturb it. */
  static async start(): Promise<KubernetesPlane> {
    return onFreePorts(3, (ports) => KubernetesPlane.#startOn(ports))
  }

  static async #startOn([etcdPort = 0, peerPort = 0, port = 0]: readonly number[]): Promise<KubernetesPlane> {
    const adminToken = randomUUID()
    const files = await makePlaneFiles(await mkdtemp(path.join(tmpdir(), 'wadi-plane-')), adminToken)
    const client = `http://127.0.0.1:${etcdPort}`
    const peer = `http://127.0.0.1:${peerPort}`
    const etcdFlags = [
      `--data-dir=${path.join(files.directory, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      // As kubeadm sets it; with etcd's own ten minutes a quiet kind gets no bookmarks.
      '--watch-progress-notify-interval=5s',
      '--log-level=warn',
      '--unsafe-no-fsync',
    ]
    const etcd = await startPlanePart('etcd', files.directory, etcdFlags, () => listens(etcdPort))
    const ca = await readFile(files.ca, 'utf8')
    const plane = new KubernetesPlane({ files, ca, adminToken, etcd, etcdPort, port })
    await writeKubeconfig(files, plane.server, adminToken)
    try {
      await plane.startApiServer()
      await until(async () => (await plane.ask('GET', '/api/v1/namespaces/default')).status === 200)
      plane.#atStart = { revision: await plane.#store.revision(), groups: await plane.#groups() }
      return plane
    } catch (error) {
      await plane[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Starts the API server; again after `stopApiServer`, on the same port and with what was stored. */
  async startApiServer(): Promise<void> {
    const files = this.#files
    const flags = [
      `--etcd-servers=${this.#store.address}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${this.port}`,
      `--tls-cert-file=${files.certificate}`,
      `--tls-private-key-file=${files.key}`,
      `--client-ca-file=${files.ca}`,
      `--token-auth-file=${files.tokens}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${files.accountPublicKey}`,
      `--service-account-signing-key-file=${files.accountKey}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      '--authorization-mode=RBAC',
      // Without controllers no namespace has an account `default`, and a pod without an account would be rejected.
      '--disable-admission-plugins=ServiceAccount',
      '--endpoint-reconciler-type=none',
    ]
    const isReady = async () => (await this.ask('GET', '/readyz')).status === 200
    this.#apiServer = await startPlanePart('kube-apiserver', files.directory, flags, isReady)
  }

  /** Ends the API server with SIGKILL; etcd keeps what was stored. */
  async stopApiServer(): Promise<void> {
    await this.#apiServer?.end()
    this.#apiServer = undefined
  }

  /** Sends a signal to the API server: SIGSTOP freezes it and SIGCONT wakes it. */
  signalApiServer(signal: NodeJS.Signals): void {
    this.#apiServer?.kill(signal)
  }

  /** Makes etcd forget its history up to now; the API server knows it until it is started again. */
  async compact(): Promise<void> {
    const { metadata } = JSON.parse((await this.ask('GET', '/api/v1/namespaces?limit=1')).body)
    await this.#store.compact(metadata.resourceVersion)
  }

  /** Makes the plane as it was when it was new: the API server runs, and what was created since the start is gone. */
  async renew(): Promise<void> {
    if (this.#apiServer === undefined) await this.startApiServer()
    this.signalApiServer('SIGCONT')
    await this.#store.removeSince(this.#atStart.revision)
    await until(async () => (await this.#groups()) === this.#atStart.groups)
  }

  /** The API groups that are served. */
  async #groups(): Promise<string> {
    const { groups = [] }: { groups?: { name: string }[] } = JSON.parse((await this.ask('GET', '/apis')).body)
    return groups.map(({ name }) => name).join()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#apiServer?.end()
    await this.#etcd.end()
    await rm(this.#files.directory, { recursive: true, force: true })
  }
}

async function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => resolve(true))
  socket.on('error', () => resolve(false))
  const result = await promise
  socket.destroy()
  return result
}
