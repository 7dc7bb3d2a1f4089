import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { bundledTool } from '@wadi/renderer-tools/bundled-tools.ts'
import type { KubernetesNode } from '@wadi/testing/kubernetes-node/kubernetes-node.ts'
import { wadiImage } from '@wadi/testing/kubernetes-node/node-images.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { until } from '@wadi/testing/until.ts'
import { GatewayLoad } from './gateway-load-fixture.ts'

const run = promisify(execFile)
const repository = path.join(import.meta.dirname, '../../..')

/** The port of git servers, which no other server has. */
export const gitPort = 3000

/** Flags of kubectl that end a pod at once. */
export const byForce = ['--grace-period=0', '--force']

/** The values of the highly available shape. */
export const twoOfEach = ['apiGateway', 'hydrator', 'repoServer', 'commitServer', 'appsetService'].map(
  (service) => `${service}.replicas=2`,
)

/** Of a pod that starts on a busy machine, and of what waits for it. */
const maxSeconds = 1200

/** Wadi, installed from the chart on a node in namespaces of its own. */
export class Release implements AsyncDisposable {
  readonly namespace: string
  readonly node: KubernetesNode
  readonly #kubectl: string
  readonly #helm: string

  private constructor(namespace: string, node: KubernetesNode, programs: { kubectl: string; helm: string }) {
    this.namespace = namespace
    this.node = node
    this.#kubectl = programs.kubectl
    this.#helm = programs.helm
  }

  /** Installs the chart and waits until all pods are ready. */
  static async install(node: KubernetesNode, namespace: string, values: readonly string[]): Promise<Release> {
    const kubectl = await bundledTool('kubectl', toolCache)
    const [helm = ''] = (await findTools({ cacheDirectory: toolCache })).helm.command
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await node.create('/api/v1/namespaces', { metadata: { name: namespace, labels } })
    const release = new Release(namespace, node, { kubectl, helm })
    const installed = release.helm('install', [
      `image=${wadiImage}`,
      `credentials.namespace=${namespace}-read`,
      `writeCredentials.namespace=${namespace}-write`,
      'installHydratedBranches=false',
      'settings.WADI_PLAIN_HTTP=always',
      `network.outsidePorts={${gitPort}}`,
      'settings.WADI_POLL_INTERVAL=3s',
      ...values,
    ])
    try {
      await installed
    } catch (error) {
      await release[Symbol.asyncDispose]()
      throw error
    }
    return release
  }

  /** Runs `helm install` or `helm upgrade` with values, and waits for the pods. */
  async helm(command: 'install' | 'upgrade', values: readonly string[]): Promise<string> {
    const set = values.flatMap((value) => ['--set', value])
    const place = ['wadi', path.join(repository, 'deploy/helm/wadi'), '--skip-crds']
    const waits = [
      '--wait',
      '--timeout',
      `${maxSeconds}s`,
      ...(command === 'upgrade' ? ['--reset-then-reuse-values'] : []),
    ]
    return this.#helmIn([command, ...place, ...set, ...waits])
  }

  /** Runs the chart's own test; returns if it passed, and the log of its pod. */
  async test(): Promise<{ passed: boolean; log: string }> {
    const passed = await this.#helmIn(['test', 'wadi', '--timeout', `${maxSeconds}s`]).then(
      () => true,
      () => false,
    )
    return { passed, log: await this.kubectl('logs', 'wadi-test') }
  }

  async #helmIn(args: readonly string[]): Promise<string> {
    const { kubeconfig } = this.node
    const own = await mkdtemp(path.join(tmpdir(), 'wadi-helm-'))
    try {
      const env = { ...process.env, HELM_CACHE_HOME: own, HELM_CONFIG_HOME: own, HELM_DATA_HOME: own }
      return (
        await run(this.#helm, [...args, '--namespace', this.namespace, '--kubeconfig', kubeconfig], { env })
      ).stdout
    } finally {
      await rm(own, { recursive: true })
    }
  }

  /** Runs kubectl in the namespace of the release. */
  async kubectl(...args: string[]): Promise<string> {
    const place = ['--kubeconfig', this.node.kubeconfig, '--namespace', this.namespace]
    return (await run(this.#kubectl, [...place, ...args])).stdout
  }

  /** The names of the pods of Wadi that are not on their way out. */
  async pods(): Promise<string[]> {
    const list: { items: { metadata: { name: string; deletionTimestamp?: string } }[] } = JSON.parse(
      await this.kubectl('get', 'pods', '--selector', 'app.kubernetes.io/part-of=wadi', '--output', 'json'),
    )
    return list.items
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .map(({ metadata }) => metadata.name)
  }

  /** The memory of a pod that its node cannot take back, in MiB, as kubelet measured it lately. */
  async memoryOf(pod: string): Promise<number> {
    const { body } = await this.node.ask('GET', '/api/v1/nodes/node-1/proxy/stats/summary')
    const summary: { pods: { podRef: { name: string }; memory?: { workingSetBytes: number } }[] } =
      JSON.parse(body)
    const bytes = summary.pods.find(({ podRef }) => podRef.name === pod)?.memory?.workingSetBytes
    assert.ok(bytes, `no memory of ${pod} is known`)
    return bytes / 2 ** 20
  }

  /** Waits until all pods are ready. */
  async ready(): Promise<void> {
    const all = ['pods', '--selector', 'app.kubernetes.io/part-of=wadi', '--for', 'condition=Ready']
    await until(() =>
      this.kubectl('wait', ...all, '--timeout', '10s').then(
        () => true,
        () => false,
      ),
    )
  }

  /** A port of this machine that leads to the Service of the gateway, once the node's proxy and policies know its pods. */
  async openGateway(): Promise<number> {
    const list = await this.kubectl(
      'get',
      'services',
      '--output',
      'jsonpath={range .items[*]}{.metadata.name} {.spec.clusterIP}{"\\n"}{end}',
    )
    const [, address] = /^wadi-(?:mesh|api-gateway) (\S+)$/m.exec(list) ?? []
    const port = await this.node.open(`${address}:8080`)
    await until(() => answers(`http://127.0.0.1:${port}/healthz`))
    return port
  }

  /** Signs the operator in, as the chart's notes say. */
  async signedIn(): Promise<(...args: string[]) => Promise<string>> {
    const port = await this.openGateway()
    const environment = {
      WADI_SERVER: `http://127.0.0.1:${port}`,
      WADI_AUTH_TOKEN: await this.#operatorToken(),
    }
    return async (...args) => {
      const { code, stdout, stderr } = await runWadi(args, { environment })
      assert.equal(code, 0, `wadi ${args[0]}: ${stderr}`)
      return stdout
    }
  }

  /** Begins calls to the gateway through its Service. */
  async load(): Promise<GatewayLoad> {
    return new GatewayLoad(await this.openGateway(), await this.#operatorToken())
  }

  /** Replaces all pods, and waits for those in their place. */
  async restart(): Promise<void> {
    const all = ['deployments,statefulsets', '--selector', 'app.kubernetes.io/part-of=wadi']
    await this.kubectl('rollout', 'restart', ...all)
    await this.kubectl('rollout', 'status', ...all, '--timeout', `${maxSeconds}s`)
  }

  async #operatorToken(): Promise<string> {
    const secret = ['get', 'secret', 'wadi-secrets', '--output', 'jsonpath={.data.admin\\.token}']
    return Buffer.from(await this.kubectl(...secret), 'base64').toString()
  }

  /** Leaves the node to the next test: nothing of the release begins again, and what is left of it ends by itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#helmIn(['uninstall', 'wadi'])
    const namespaces = ['', '-read', '-write'].map((suffix) => `${this.namespace}${suffix}`)
    await this.kubectl('delete', 'namespaces', '--wait=false', ...namespaces)
  }
}

/** Returns true if a server answers a request of a page. */
async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).body?.cancel()
    return true
  } catch {
    return false
  }
}
