import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { goProgramFile } from '../go-program.ts'
import type { PlaneFiles } from '../kubernetes-plane/plane-files.ts'
import { startPart } from '../kubernetes-plane/plane-part.ts'
import { writeImageArchive } from './image-archive.ts'
import { pauseImage, writeNodeFiles } from './node-files.ts'
import { inNode, type NodeNamespaces, openNamespaces } from './node-namespaces.ts'
import { type NodePlace, nodePlace, serviceRange } from './node-place.ts'
import { nodeProgram, runtimePrograms } from './node-programs.ts'

const run = promisify(execFile)

/** A machine that runs pods: mounts, a network and processes of its own, of which nothing is left when it ends, or when the process that started it does. */
export class NodeMachine implements AsyncDisposable {
  readonly place: NodePlace
  readonly directory: string
  /** Process 1, by its number outside. */
  readonly init: number
  readonly #end: () => Promise<void>

  private constructor(place: NodePlace, directory: string, { init, end }: NodeNamespaces) {
    this.place = place
    this.directory = directory
    this.init = init
    this.#end = end
  }

  /** Opens the machine of a node, of which the first has the number 1; nothing runs in it yet. */
  static async open(number: number): Promise<NodeMachine> {
    const place = nodePlace(number)
    const directory = await mkdtemp(path.join(tmpdir(), 'wadi-node-'))
    return new NodeMachine(place, directory, await openNamespaces(directory, path.basename(directory), place))
  }

  /** Starts the container runtime. */
  async startRuntime(cluster: PlaneFiles): Promise<void> {
    await writeNodeFiles(this.directory, path.basename(this.directory), this.place, cluster)
    const socket = `/proc/${this.init}/root/run/containerd/containerd.sock`
    const containerd = [goProgramFile(runtimePrograms.containerd), '--config', this.#at('containerd.toml')]
    await this.start('containerd', containerd, async () => existsSync(socket))
    await writeImageArchive(this.#at('pause.tar'), pauseImage, goProgramFile(runtimePrograms.pause))
    await this.loadImage(this.#at('pause.tar'))
  }

  /** Starts what makes the machine a node of a cluster. */
  async startNode({ directory }: PlaneFiles): Promise<void> {
    const { name, address } = this.place
    const kubelet = [
      `--config=${this.#at('kubelet.json')}`,
      `--kubeconfig=${path.join(directory, name)}.kubeconfig`,
    ]
    const own = [`--root-dir=${this.#at('kubelet')}`, `--cert-dir=${this.#at('kubelet-pki')}`]
    await this.startPart('kubelet', ...kubelet, ...own, `--hostname-override=${name}`, `--node-ip=${address}`)
    await this.startPart('kube-proxy', `--config=${this.#at('proxy.json')}`)
  }

  /** Starts what enforces NetworkPolicies, once the node is known. */
  async startPolicies({ directory }: PlaneFiles): Promise<void> {
    const kubeconfig = path.join(directory, 'policies.kubeconfig')
    const flags = [`-kubeconfig=${kubeconfig}`, `-services=${serviceRange}`, `-node=${this.place.name}`]
    await this.startPart('policies', ...flags)
  }

  /** Starts a part of `nodeProgram`. */
  async startPart(name: string, ...flags: string[]): Promise<void> {
    await this.start(name, [goProgramFile(nodeProgram), name, ...flags])
  }

  /** Starts a program that runs as long as the machine. */
  async start(name: string, command: readonly string[], isReady = async () => true): Promise<void> {
    await startPart(name, this.directory, inNode(this.init, command), isReady)
  }

  /** Runs a program in the machine, and returns what it prints. */
  async run(command: readonly string[]): Promise<string> {
    const [program = '', ...args] = inNode(this.init, command)
    return (await run(program, args, { maxBuffer: 16 * 1024 * 1024 })).stdout
  }

  /** Makes an image of an archive known to the node. */
  async loadImage(archive: string): Promise<void> {
    await this.#images('import', '--local', archive)
  }

  /** Gives an image another name as well. */
  async tagImage(name: string, other: string): Promise<void> {
    await this.#images('tag', name, other)
  }

  async #images(...args: string[]): Promise<void> {
    const ctr = [goProgramFile(runtimePrograms.ctr), '--address', '/run/containerd/containerd.sock']
    await this.run([...ctr, '--namespace', 'k8s.io', 'images', ...args])
  }

  /** The end of the log of a part, such as `kubelet`. */
  log(part: string, lines = 50): string {
    return readFileSync(this.#at(`${part}.log`), 'utf8')
      .split('\n')
      .slice(-lines)
      .join('\n')
  }

  #at(name: string): string {
    return path.join(this.directory, name)
  }

  /** Ends all that runs in the machine at once, as when its power fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }
}
