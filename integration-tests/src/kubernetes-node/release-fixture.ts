import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { bundledTool } from '@wadi/renderer-tools/bundled-tools.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { KubernetesNode } from '@wadi/testing/kubernetes-node/kubernetes-node.ts'
import { redisImageFile, wadiImage, wadiImageFile } from '@wadi/testing/kubernetes-node/node-images.ts'
import { afterAllTests } from '@wadi/testing/process-end.ts'
import { testGit } from '@wadi/testing/test-git.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { until } from '@wadi/testing/until.ts'

const run = promisify(execFile)
const repository = path.join(import.meta.dirname, '../../..')
const users = { reader: 'reads-only', writer: 'writes-too' }

/** Of a pod that starts on a busy machine, and of what waits for it. */
const maxSeconds = 240

let shared: Promise<KubernetesNode> | undefined

afterAllTests(async () => {
  await (await shared)?.[Symbol.asyncDispose]()
})

/** The node that the test files of this directory share, with the images of Wadi and Redis. */
function sharedNode(): Promise<KubernetesNode> {
  shared ??= (async () => {
    const node = await KubernetesNode.start()
    await node.applyCrds(...crdFiles)
    for (const image of [wadiImageFile(), redisImageFile()]) await node.loadImage(image)
    return node
  })()
  return shared
}

/** A dry repository with an Application, of which each dry commit shall give one hydrated commit. */
export interface HydratedApplication {
  /** Pushes a change, and returns its commit. */
  push(): Promise<string>
  /** Waits until a dry commit is hydrated. */
  hydrated(commit: string): Promise<void>
  /** The dry commits of the hydrated ones, the oldest first. */
  dryCommits(): Promise<string[]>
}

/** Wadi, installed from the chart on the shared node in namespaces of its own. */
export class Release {
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
  static async install(namespace: string, values: readonly string[]): Promise<Release> {
    const node = await sharedNode()
    const kubectl = await bundledTool('kubectl', toolCache)
    const [helm = ''] = (await findTools({ cacheDirectory: toolCache })).helm.command
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await node.create('/api/v1/namespaces', { metadata: { name: namespace, labels } })
    const release = new Release(namespace, node, { kubectl, helm })
    await release.helm('install', [
      `image=${wadiImage}`,
      `credentials.namespace=${namespace}-read`,
      `writeCredentials.namespace=${namespace}-write`,
      'installHydratedBranches=false',
      'settings.WADI_PLAIN_HTTP=always',
      'settings.WADI_POLL_INTERVAL=3s',
      ...values,
    ])
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
      ...(command === 'upgrade' ? ['--reuse-values'] : []),
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

  /** A port of this machine that leads to the Service of the gateway. */
  async openGateway(): Promise<number> {
    const list = await this.kubectl(
      'get',
      'services',
      '--output',
      'jsonpath={range .items[*]}{.metadata.name} {.spec.clusterIP}{"\\n"}{end}',
    )
    const [, address] = /^wadi-(?:mesh|api-gateway) (\S+)$/m.exec(list) ?? []
    return this.node.open(`${address}:8080`)
  }

  /** Signs the operator in, as the chart's notes say. */
  async signedIn(): Promise<(...args: string[]) => Promise<string>> {
    const port = await this.openGateway()
    const secret = ['get', 'secret', 'wadi-secrets', '--output', 'jsonpath={.data.admin\\.token}']
    const token = Buffer.from(await this.kubectl(...secret), 'base64').toString()
    const environment = { WADI_SERVER: `http://127.0.0.1:${port}`, WADI_AUTH_TOKEN: token }
    return async (...args) => {
      const { code, stdout, stderr } = await runWadi(args, { environment })
      assert.equal(code, 0, `wadi ${args[0]}: ${stderr}`)
      return stdout
    }
  }

  /** Makes a repository on a git server that pods reach, stores its credentials and applies an Application of it. */
  async addApplication(owned: AsyncDisposableStack, name: string): Promise<HydratedApplication> {
    const server = owned.use(await startGitHttpServer({ users }))
    const { directory } = await server.createRepository(`${name}.git`)
    const url = `http://${await this.node.offer(Number(new URL(server.url).port))}/${name}.git`
    const wadi = await this.signedIn()
    await wadi('repo', 'add', url, '--username', 'reader', '--password', users.reader)
    await wadi('repo', 'add', url, '--username', 'writer', '--password', users.writer, '--write')
    const scratch = await mkdtemp(path.join(tmpdir(), 'wadi-dry-'))
    owned.defer(() => rm(scratch, { recursive: true }))
    const dry = await createRepository(scratch)
    let count = 0
    const push = async () => {
      const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\ndata: { count: '${++count}' }\n`
      await dry.commitFiles({ 'web/a.yaml': text }, `Change ${count}`)
      await dry.git.raw(['push', '--quiet', directory, 'main'])
      return dry.head()
    }
    await push()
    await this.node.create(`/apis/argoproj.io/v1alpha1/namespaces/${this.namespace}/applications`, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, annotations: { 'wadi.dev/lineage': 'every' } },
      spec: {
        project: 'default',
        destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
        sourceHydrator: {
          drySource: { repoURL: url, targetRevision: 'main', path: 'web' },
          syncSource: { targetBranch: 'environments/dev', path: 'web' },
        },
      },
    })
    const bare = testGit(directory)
    const dryCommits = async () => {
      const listed = await bare.raw(['rev-list', '--reverse', 'environments/dev']).catch(() => '')
      const commits = listed.split('\n').filter((line) => line !== '')
      const read = async (commit: string) => {
        const record: { drySha: string } = JSON.parse(await bare.raw(['show', `${commit}:hydrator.metadata`]))
        return record.drySha
      }
      return Promise.all(commits.map(read))
    }
    return {
      push,
      dryCommits,
      hydrated: (commit) => until(async () => (await dryCommits()).at(-1) === commit),
    }
  }
}
