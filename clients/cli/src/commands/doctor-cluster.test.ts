import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { ApiResource } from '@wadi/kubernetes/client/api-resource.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { leaseResource } from '@wadi/kubernetes/lease/lease.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'

const labels = { 'app.kubernetes.io/part-of': 'wadi' }
const core = (kind: string, plural: string): ApiResource => ({ group: '', version: 'v1', kind, plural })
const [pods, claims, nodes] = [
  core('Pod', 'pods'),
  core('PersistentVolumeClaim', 'persistentvolumeclaims'),
  core('Node', 'nodes'),
]
const classes = { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass', plural: 'storageclasses' }
/** The name of objects without a namespace, of which tests beside this one may have others. */
const own = 'doctor-cluster'

const server = testClusterKinds.find(({ name }) => name === 'API server')
const skip = server?.missing ?? false

test(
  'what a cluster knows to be wrong is found with what to do, whether a service answers or not',
  { skip },
  async () => {
    assert.ok(server)
    await using owned = new AsyncDisposableStack()
    const cluster = owned.use(await server.open())
    const client = owned.use(new KubernetesClient(cluster.config))
    const namespace = await cluster.createNamespace()
    const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-doctor-')))
    const kubeconfig = path.join(directory.path, 'kubeconfig')
    await writeKubeconfig(kubeconfig, cluster.config)
    const doctor = async () => {
      const args = ['doctor', '--kubeconfig', kubeconfig, '--namespace', namespace, '--strict', '-o', 'json']
      const { stdout, stderr, code } = await runWadi(args)
      assert.equal(stderr, '')
      const { findings }: { findings: { area: string; message: string; remedy: string }[] } =
        JSON.parse(stdout)
      return { code, lines: findings.map(({ area, message, remedy }) => `${area}: ${message} -> ${remedy}`) }
    }
    const found = (lines: readonly string[], line: RegExp) =>
      assert.ok(
        lines.some((one) => line.test(one)),
        `${line.source} is not in\n${lines.join('\n')}`,
      )
    const nothing = await doctor()
    found(nothing.lines, /^pods: no pod in the namespace test-\w+ is of Wadi -> .*--namespace$/)
    assert.equal(nothing.code, 1)

    const put = async (resource: ApiResource, name: string, rest: Record<string, unknown>) => {
      const { group, version, kind } = resource
      const { status, ...object } = rest
      const isGlobal = resource === nodes || resource === classes
      const within = isGlobal ? {} : { namespace: resource === leaseResource ? 'kube-node-lease' : namespace }
      const metadata = { name, labels, ...within }
      const apiVersion = group === '' ? version : `${group}/${version}`
      await client.create(resource, { apiVersion, kind, metadata, ...object })
      owned.defer(async () => void (await client.delete(resource, metadata)))
      if (status) await client.patch(resource, metadata, { status }, { subresource: 'status' })
    }
    const container = (name: string, memory: string) => ({
      spec: { containers: [{ name, image: 'wadi', resources: { limits: { memory } } }] },
    })
    const state = (name: string, fields: object) => ({
      containerStatuses: [{ name, image: 'wadi', imageID: '', ready: false, restartCount: 3, ...fields }],
    })
    const ended = (reason: string, message: string) => ({
      terminated: { reason, message, exitCode: 137, startedAt: null, finishedAt: null },
    })
    await put(core('ServiceAccount', 'serviceaccounts'), 'default', {})
    await put(pods, 'wadi-repo-server-0', {
      ...container('repo-server', '512Mi'),
      status: state('repo-server', { state: { running: {} }, lastState: ended('OOMKilled', '') }),
    })
    await put(pods, 'wadi-commit-server-0', {
      ...container('commit-server', '2Gi'),
      status: state('commit-server', {
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } },
        lastState: ended('Error', 'the data directory /data cannot be used by user 10001\n'),
      }),
    })
    await put(pods, 'wadi-mesh-0', {
      ...container('mesh', '2Gi'),
      status: {
        conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes are available' }],
      },
    })
    const claim = (storageClassName?: string) => ({
      spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Pending' },
    })
    await put(classes, own, { provisioner: 'example.com/none' })
    await put(claims, 'data-of-none', claim('no-such-class'))
    await put(claims, 'data-of-default', claim())
    await put(claims, 'data-of-class', claim(own))
    await put(core('Event', 'events'), 'failed', {
      involvedObject: { kind: 'PersistentVolumeClaim', namespace, name: 'data-of-class' },
      type: 'Warning',
      reason: 'ProvisioningFailed',
      message: 'no room in the pool',
      lastTimestamp: new Date().toISOString(),
    })
    await put(nodes, own, { status: { conditions: [{ type: 'Ready', status: 'True' }] } })
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString().replace('Z', '000Z')
    await put(leaseResource, own, { spec: { holderIdentity: own, renewTime: hourAgo } })

    const { lines, code } = await doctor()
    assert.equal(code, 1)
    for (const line of [
      /^memory: pod wadi-repo-server-0, container repo-server: .* memory limit, 512Mi \(3 restarts\) -> set repoServer\.resources\.limits\.memory of the chart to more than 512Mi$/,
      /^pods: pod wadi-repo-server-0, container repo-server: it runs and is not ready -> kubectl .* logs /,
      /^pods: pod wadi-commit-server-0, container commit-server: CrashLoopBackOff: the data directory \/data cannot be used by user 10001 -> kubectl .* logs .* --previous$/,
      /^pods: pod wadi-mesh-0 has no node: 0\/1 nodes are available -> kubectl .* describe pod wadi-mesh-0$/,
      /^storage: the volume of data-of-none waits: there is no StorageClass no-such-class \(the cluster has .*doctor-cluster.*\) -> create it, /,
      /^storage: the volume of data-of-default waits: no StorageClass is the default .* -> kubectl annotate storageclass /,
      /^storage: the volume of data-of-class waits: no room in the pool -> kubectl .* describe persistentvolumeclaim data-of-class$/,
      /^clock: the clock of node doctor-cluster is 3[56]\d\d s behind that of the API server: .* -> timedatectl /,
    ])
      found(lines, line)
    assert.ok(!lines.some((line) => line.startsWith('definitions: ')), lines.join('\n'))
  },
)

test('a server and a cluster are not checked at once', async () => {
  const { stderr, code } = await runWadi(['doctor', '--remote', '--kubeconfig', 'file'])
  assert.match(stderr, /give either --remote or --kubeconfig/)
  assert.notEqual(code, 0)
})
