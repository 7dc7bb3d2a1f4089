import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { PlaneAccess, type PlaneAddress } from '../kubernetes-plane/plane-access.ts'
import { makePlaneFiles, type PlaneFiles, writeKubeconfig } from '../kubernetes-plane/plane-files.ts'
import { planeProgram } from '../kubernetes-plane/plane-program.ts'
import { until } from '../until.ts'
import { writeClusterFiles } from './cluster-files.ts'
import { apiServerFlags, controllerFlags, etcdFlags } from './control-plane-flags.ts'
import { NodeMachine } from './node-machine.ts'
import { nodeAddress, nodeNames } from './node-place.ts'
import { passOn, startNodeRelay } from './node-relay.ts'

const run = promisify(execFile)

/** Volumes that pods can claim, each of which serves once. */
const volumes = 16

/**
 * A cluster of one node on this machine, which runs pods: in mounts, a network and processes of its own, of which nothing is left when it ends, or when the
 * process that started it does. Nothing outside of it can be reached from it but what `offer` offers.
 */
export class KubernetesNode extends PlaneAccess implements AsyncDisposable {
  readonly #machine: NodeMachine
  readonly #files: PlaneFiles
  readonly #owned = new AsyncDisposableStack()

  private constructor(address: PlaneAddress, machine: NodeMachine, files: PlaneFiles) {
    super(address)
    this.#machine = this.#owned.use(machine)
    this.#files = files
  }

  /** Starts a node and waits until it takes pods: about 15 s on an idle machine. */
  static async start(): Promise<KubernetesNode> {
    await using owned = new AsyncDisposableStack()
    const machine = owned.use(await NodeMachine.open(1))
    const adminToken = randomUUID()
    const files = await makePlaneFiles(machine.directory, adminToken, [`IP:${nodeAddress}`, 'IP:10.96.0.1'])
    await writeClusterFiles(files)
    const port = await freePort()
    const server = `https://127.0.0.1:${port}`
    await writeKubeconfig(files, server, adminToken)
    const ca = await readFile(files.ca, 'utf8')
    const address = { server, port, ca, adminToken, kubeconfig: files.kubeconfig }
    const node = owned.use(new KubernetesNode(address, machine, files))
    await node.#start(port)
    owned.move()
    return node
  }

  async #start(port: number): Promise<void> {
    const files = this.#files
    const machine = this.#machine
    const at = (name: string) => path.join(files.directory, name)
    await machine.start('etcd', [planeProgram(), 'etcd', ...etcdFlags(at('etcd'))])
    this.#owned.use(await startNodeRelay(machine.init, at('api.socket'), `${nodeAddress}:6443`))
    this.#owned.use(await passOn(port, at('api.socket')))
    const isServed = async () => (await this.ask('GET', '/readyz')).status === 200
    const apiServer = [planeProgram(), 'kube-apiserver', ...apiServerFlags(files)]
    await machine.start('kube-apiserver', apiServer, isServed)
    await Promise.all([machine.startRuntime(files), this.#createObjects()])
    const controllers = [planeProgram(), 'kube-controller-manager', ...controllerFlags(files)]
    await machine.start('kube-controller-manager', controllers)
    const scheduler = `--kubeconfig=${at('scheduler.kubeconfig')}`
    await machine.startPart('kube-scheduler', scheduler, '--leader-elect=false')
    await machine.startNode(files)
    await machine.startPart('coredns', '-conf', at('Corefile'))
    const nameServer = ['bash', '-c', `</dev/tcp/${nodeAddress}/53`]
    await until(async () =>
      this.run(nameServer).then(
        () => true,
        () => false,
      ),
    )
    await until(() => this.#takesPods(machine))
    await machine.startPolicies(files)
  }

  /** Adds a second node to the cluster, which runs pods alone, and waits until it takes some. */
  async join(): Promise<NodeMachine> {
    const machine = this.#owned.use(await NodeMachine.open(2))
    await joinNetworks(this.#machine, machine)
    await machine.startRuntime(this.#files)
    await machine.startNode(this.#files)
    await until(() => this.#takesPods(machine))
    await machine.startPolicies(this.#files)
    return machine
  }

  /** Runs a program in the namespaces of the node, and returns what it prints. */
  async run(command: readonly string[]): Promise<string> {
    return this.#machine.run(command)
  }

  /** Makes an image of an archive known to the node. */
  async loadImage(archive: string): Promise<void> {
    await this.#machine.loadImage(archive)
  }

  /** Gives an image of the node another name as well. */
  async tagImage(name: string, other: string): Promise<void> {
    await this.#machine.tagImage(name, other)
  }

  /** Makes an address of the node's network, such as that of a Service, reachable; returns a port of this machine. */
  async open(address: string): Promise<number> {
    const port = await freePort()
    const socket = path.join(this.#files.directory, `${port}.socket`)
    this.#owned.use(await startNodeRelay(this.#machine.init, socket, address))
    this.#owned.use(await passOn(port, socket))
    return port
  }

  /** Offers a port of this machine to pods, on another one of the node, until it is disposed. */
  async offer(port: number, nodePort: number): Promise<{ address: string } & AsyncDisposable> {
    await using opened = new AsyncDisposableStack()
    const socket = path.join(this.#files.directory, `offer-${nodePort}.socket`)
    const address = `${nodeAddress}:${nodePort}`
    opened.use(await passOn(socket, port))
    opened.use(await startNodeRelay(this.#machine.init, address, socket))
    const owned = opened.move()
    return { address, [Symbol.asyncDispose]: async () => owned.disposeAsync() }
  }

  /** The end of the log of a part, such as `kubelet`. */
  log(part: string, lines = 50): string {
    return this.#machine.log(part, lines)
  }

  /** Rights of the parts, and volumes for claims. */
  async #createObjects(): Promise<void> {
    const binding = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'
    await this.create(binding, {
      metadata: { name: 'proxy' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-proxier' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:kube-proxy' }],
    })
    await this.create('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    })
    for (let number = 1; number <= volumes; number++) {
      const volume = path.join(this.#files.directory, 'volumes', String(number))
      await mkdir(volume, { recursive: true })
      await this.create('/api/v1/persistentvolumes', localVolume(`volume-${number}`, volume))
    }
  }

  async #takesPods({ place }: NodeMachine): Promise<boolean> {
    const { status, body } = await this.ask('GET', `/api/v1/nodes/${place.name}`)
    if (status !== 200) return false
    const node: { status: { conditions?: { type: string; status: string }[] } } = JSON.parse(body)
    const isReady = node.status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True')
    // Pods are rejected before their namespace has its account.
    return (
      isReady === true &&
      (await this.ask('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status === 200
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }
}

/** Joins the networks of two nodes, and tells each the way to the pods of the other. */
async function joinNetworks(first: NodeMachine, second: NodeMachine): Promise<void> {
  const [here, there] = [`to-${second.place.name}`, `to-${first.place.name}`]
  // Process 1 of the second node has this number only where this program runs.
  const link = [
    'ip',
    'link',
    'add',
    here,
    'type',
    'veth',
    'peer',
    'name',
    there,
    'netns',
    String(second.init),
  ]
  await run('nsenter', ['--target', String(first.init), '--net', ...link])
  for (const [one, end, other] of [
    [first, here, second],
    [second, there, first],
  ] as const) {
    await one.run(['ip', 'link', 'set', end, 'master', 'node0', 'up'])
    await one.run(['ip', 'route', 'add', other.place.pods, 'via', other.place.address])
  }
}

/** A volume that any node reaches, as one in the network. */
function localVolume(name: string, directory: string) {
  const expression = { key: 'kubernetes.io/hostname', operator: 'In', values: nodeNames }
  return {
    metadata: { name },
    spec: {
      capacity: { storage: '10Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      local: { path: directory },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } },
    },
  }
}
