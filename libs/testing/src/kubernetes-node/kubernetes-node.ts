import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { goProgramFile } from '../go-program.ts'
import { PlaneAccess, type PlaneAddress } from '../kubernetes-plane/plane-access.ts'
import { makePlaneFiles, type PlaneFiles, writeKubeconfig } from '../kubernetes-plane/plane-files.ts'
import { startPart } from '../kubernetes-plane/plane-part.ts'
import { planeProgram } from '../kubernetes-plane/plane-program.ts'
import { until } from '../until.ts'
import { writeImageArchive } from './image-archive.ts'
import { nodeAddress, nodeUsers, pauseImage, podRange, serviceRange, writeNodeFiles } from './node-files.ts'
import { nodeProgram, runtimePrograms } from './node-programs.ts'
import { passOn, startNodeRelay } from './node-relay.ts'

const run = promisify(execFile)
const here = import.meta.dirname

/** Volumes that pods can claim, each of which serves once. */
const volumes = 16

/**
 * A cluster of one node on this machine, which runs pods: in mounts, a network and processes of its own, of which nothing is left when it ends, or when the
 * process that started it does. Nothing outside of it can be reached from it but what `offer` offers.
 */
export class KubernetesNode extends PlaneAccess implements AsyncDisposable {
  readonly #init: number
  readonly #directory: string
  readonly #owned = new AsyncDisposableStack()

  private constructor(address: PlaneAddress, directory: string, init: number) {
    super(address)
    this.#directory = directory
    this.#init = init
  }

  /** Starts a node and waits until it takes pods: about 15 s on an idle machine. */
  static async start(): Promise<KubernetesNode> {
    const directory = await mkdtemp(path.join(tmpdir(), 'wadi-node-'))
    const group = path.basename(directory)
    const tokens = new Map(Object.keys(nodeUsers).map((name) => [name, randomUUID()]))
    const adminToken = randomUUID()
    const files = await makePlaneFiles(directory, adminToken, [`IP:${nodeAddress}`, 'IP:10.96.0.1'])
    for (const [name, { user, group: userGroup }] of Object.entries(nodeUsers))
      await appendFile(
        files.tokens,
        `${tokens.get(name)},${user},${user}${userGroup ? `,"${userGroup}"` : ''}\n`,
      )
    await writeNodeFiles(directory, group, { ...files, tokens })
    const { init, end } = await openNamespaces(directory, group)
    const port = await freePort()
    const server = `https://127.0.0.1:${port}`
    await writeKubeconfig(files, server, adminToken)
    const ca = await readFile(files.ca, 'utf8')
    const node = new KubernetesNode(
      { server, port, ca, adminToken, kubeconfig: files.kubeconfig },
      directory,
      init,
    )
    node.#owned.defer(end)
    try {
      await node.#start(files, port)
      return node
    } catch (error) {
      await node[Symbol.asyncDispose]()
      throw error
    }
  }

  async #start(files: PlaneFiles, port: number): Promise<void> {
    const { directory } = files
    const at = (name: string) => path.join(directory, name)
    await this.#part('etcd', [planeProgram(), 'etcd', ...etcdFlags(at('etcd'))])
    this.#owned.use(await startNodeRelay(this.#init, at('api.socket'), `${nodeAddress}:6443`))
    this.#owned.use(await passOn(port, at('api.socket')))
    const isServed = async () => (await this.ask('GET', '/readyz')).status === 200
    await this.#part('kube-apiserver', [planeProgram(), 'kube-apiserver', ...apiServerFlags(files)], isServed)
    const socket = `/proc/${this.#init}/root/run/containerd/containerd.sock`
    const containerd = [goProgramFile(runtimePrograms.containerd), '--config', at('containerd.toml')]
    await this.#part('containerd', containerd, async () => existsSync(socket))
    await writeImageArchive(at('pause.tar'), pauseImage, goProgramFile(runtimePrograms.pause))
    await Promise.all([this.loadImage(at('pause.tar')), this.#createObjects()])
    const controllers = [planeProgram(), 'kube-controller-manager', ...controllerFlags(files)]
    await this.#part('kube-controller-manager', controllers)
    const part = async (name: string, ...flags: string[]) =>
      this.#part(name, [goProgramFile(nodeProgram), name, ...flags])
    const scheduler = `--kubeconfig=${at('scheduler.kubeconfig')}`
    await part('kube-scheduler', scheduler, '--leader-elect=false')
    const kubelet = [`--config=${at('kubelet.json')}`, `--kubeconfig=${at('kubelet.kubeconfig')}`]
    const own = [`--root-dir=${at('kubelet')}`, `--cert-dir=${at('kubelet-pki')}`]
    await part('kubelet', ...kubelet, ...own, '--hostname-override=node-1', `--node-ip=${nodeAddress}`)
    await part('kube-proxy', `--config=${at('proxy.json')}`)
    await part('coredns', '-conf', at('Corefile'))
    const nameServer = ['bash', '-c', `</dev/tcp/${nodeAddress}/53`]
    await until(async () =>
      this.run(nameServer).then(
        () => true,
        () => false,
      ),
    )
    await until(() => this.#takesPods())
    const policies = [`-kubeconfig=${at('policies.kubeconfig')}`, `-services=${serviceRange}`]
    await part('policies', ...policies, '-node=node-1')
  }

  /** Runs a program in the namespaces of the node, and returns what it prints. */
  async run(command: readonly string[]): Promise<string> {
    const [program = '', ...args] = inNode(this.#init, command)
    return (await run(program, args, { maxBuffer: 16 * 1024 * 1024 })).stdout
  }

  /** Makes an image of an archive known to the node. */
  async loadImage(archive: string): Promise<void> {
    const ctr = [goProgramFile(runtimePrograms.ctr), '--address', '/run/containerd/containerd.sock']
    await this.run([...ctr, '--namespace', 'k8s.io', 'images', 'import', '--local', archive])
  }

  /** Makes an address of the node's network, such as that of a Service, reachable; returns a port of this machine. */
  async open(address: string): Promise<number> {
    const port = await freePort()
    const socket = path.join(this.#directory, `${port}.socket`)
    this.#owned.use(await startNodeRelay(this.#init, socket, address))
    this.#owned.use(await passOn(port, socket))
    return port
  }

  /** Offers a port of this machine to pods, on another one of the node, until it is disposed. */
  async offer(port: number, nodePort: number): Promise<{ address: string } & AsyncDisposable> {
    await using opened = new AsyncDisposableStack()
    const socket = path.join(this.#directory, `offer-${nodePort}.socket`)
    const address = `${nodeAddress}:${nodePort}`
    opened.use(await passOn(socket, port))
    opened.use(await startNodeRelay(this.#init, address, socket))
    const owned = opened.move()
    return { address, [Symbol.asyncDispose]: async () => owned.disposeAsync() }
  }

  /** The end of the log of a part, such as `kubelet`. */
  log(part: string, lines = 50): string {
    return readFileSync(path.join(this.#directory, `${part}.log`), 'utf8')
      .split('\n')
      .slice(-lines)
      .join('\n')
  }

  async #part(name: string, command: readonly string[], isReady = async () => true): Promise<void> {
    const part = await startPart(name, this.#directory, inNode(this.#init, command), isReady)
    this.#owned.defer(() => part.end())
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
      const volume = path.join(this.#directory, 'volumes', String(number))
      await mkdir(volume, { recursive: true })
      await this.create('/api/v1/persistentvolumes', localVolume(`volume-${number}`, volume))
    }
  }

  async #takesPods(): Promise<boolean> {
    const { status, body } = await this.ask('GET', '/api/v1/nodes/node-1')
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

/** Opens the namespaces of a node; `end` ends them, waits until nothing is left of them and removes the directory. */
async function openNamespaces(directory: string, group: string) {
  const own = ['--mount', '--net', '--pid', '--uts', '--ipc', '--fork', '--kill-child', '--mount-proc']
  const first = ['sh', path.join(here, 'start-node.sh'), directory, group, nodeAddress]
  const args = [path.join(here, 'end-node.sh'), directory, group, 'unshare', ...own, ...first]
  // In a group of its own, so that it also cleans up after a test that is interrupted.
  const child = spawn('sh', args, { stdio: ['pipe', 'inherit', 'inherit'], detached: true })
  const exited = once(child, 'exit')
  const end = async () => {
    child.stdin.destroy()
    await exited
  }
  await until(() => existsSync(path.join(directory, 'begun')) || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error('the namespaces of a node cannot be opened')
  return { init: childOf(childOf(child.pid ?? 0)), end }
}

function childOf(pid: number): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10)
}

function inNode(init: number, command: readonly string[]): string[] {
  return [
    'nsenter',
    '--target',
    String(init),
    '--mount',
    '--net',
    '--pid',
    '--uts',
    '--ipc',
    '--',
    ...command,
  ]
}

function etcdFlags(data: string): string[] {
  const [client, peer] = ['http://127.0.0.1:2379', 'http://127.0.0.1:2380']
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=warn',
    '--unsafe-no-fsync',
  ]
}

function apiServerFlags(files: PlaneFiles): string[] {
  return [
    '--etcd-servers=http://127.0.0.1:2379',
    '--bind-address=0.0.0.0',
    `--advertise-address=${nodeAddress}`,
    '--secure-port=6443',
    `--service-cluster-ip-range=${serviceRange}`,
    '--allow-privileged=true',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    `--client-ca-file=${files.ca}`,
    `--token-auth-file=${files.tokens}`,
    `--tls-cert-file=${files.certificate}`,
    `--tls-private-key-file=${files.key}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${files.accountPublicKey}`,
    `--service-account-signing-key-file=${files.accountKey}`,
    `--kubelet-client-certificate=${path.join(files.directory, 'client.crt')}`,
    `--kubelet-client-key=${path.join(files.directory, 'client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
  ]
}

function controllerFlags({ directory, accountKey, ca }: PlaneFiles): string[] {
  return [
    `--kubeconfig=${path.join(directory, 'controller-manager.kubeconfig')}`,
    `--service-account-private-key-file=${accountKey}`,
    `--root-ca-file=${ca}`,
    '--allocate-node-cidrs=true',
    `--cluster-cidr=${podRange}`,
    `--service-cluster-ip-range=${serviceRange}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
  ]
}

function localVolume(name: string, directory: string) {
  const expression = { key: 'kubernetes.io/hostname', operator: 'In', values: ['node-1'] }
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
