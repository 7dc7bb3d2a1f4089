import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { redisImageFile, wadiImageFile } from '@wadi/testing/kubernetes-node/node-images.ts'
import type { NodeMachine } from '@wadi/testing/kubernetes-node/node-machine.ts'
import { nodeNames } from '@wadi/testing/kubernetes-node/node-place.ts'
import { nodeMissing } from '@wadi/testing/kubernetes-node/node-programs.ts'
import { HydratedApplication } from './hydrated-application-fixture.ts'
import { Release, twoOfEach } from './release-fixture.ts'
import { sharedNode } from './shared-node-fixture.ts'

const missing = nodeMissing()
if (missing !== undefined) console.error(`no second node is tested: ${missing}`)

const services = ['api-gateway', 'appset-service', 'commit-server', 'hydrator', 'repo-server']
const [stays = '', goes = ''] = nodeNames

interface PlacedPod {
  readonly metadata: { readonly labels: Record<string, string>; readonly deletionTimestamp?: string }
  readonly spec: { readonly nodeName: string }
}

suite('the highly available shape on two nodes', { skip: missing ?? false }, () => {
  let second: NodeMachine
  let release: Release
  let web: HydratedApplication
  const owned = new AsyncDisposableStack()
  before(async () => {
    const node = await sharedNode()
    owned.defer(async () => void (await node.ask('DELETE', `/api/v1/nodes/${goes}`)))
    second = owned.use(await node.join())
    for (const image of [wadiImageFile(), redisImageFile()]) await second.loadImage(image)
    release = owned.use(await Release.install(node, 'spread', twoOfEach))
    web = await HydratedApplication.add(release, owned)
  })
  after(() => owned.disposeAsync())

  /** The pods that are not on their way out, each as `<service> on <node>`. */
  const places = async () => {
    const { body } = await release.node.ask('GET', `/api/v1/namespaces/${release.namespace}/pods`)
    const list: { items: PlacedPod[] } = JSON.parse(body)
    return list.items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata, spec }) => `${metadata.labels['app.kubernetes.io/name']} on ${spec.nodeName}`)
      .filter((place) => !place.startsWith('redis '))
      .toSorted()
  }
  const spread = services.flatMap((service) => nodeNames.map((name) => `${service} on ${name}`))

  test('has a pod of each service on either', async () => {
    assert.deepEqual(await places(), spread)
  })

  test('loses no call and no dry commit when a node is drained', async () => {
    const load = await release.load()
    const drained = new AbortController()
    const pushes = async () => {
      while (!drained.signal.aborted) {
        await web.push()
        await web.hydrated()
      }
    }
    const drain = async () => {
      await release.kubectl('drain', goes, '--ignore-daemonsets', '--delete-emptydir-data')
      await release.ready()
    }
    await Promise.all([drain().finally(() => drained.abort()), pushes()])
    await load.end()
    assert.deepEqual(load.failures, [])
    assert.deepEqual(await web.dryCommits(), web.pushed)
    assert.ok((await places()).every((place) => place.endsWith(stays)))
  })

  test('is on either again after a rollout when the node is back', async () => {
    await release.kubectl('uncordon', goes)
    await release.restart()
    assert.deepEqual(await places(), spread)
  })

  test('hydrates on when the node with Redis dies', async () => {
    await release.kubectl('cordon', stays)
    await release.kubectl('delete', 'pod', '--selector', 'app.kubernetes.io/name=redis')
    await release.ready()
    await release.kubectl('uncordon', stays)
    await second[Symbol.asyncDispose]()
    await web.push()
    await web.hydrated()
    await release.kubectl('rollout', 'status', 'deployments')
    // As the guide says: only an operator knows that the node will not come back, and its volumes are free.
    await release.kubectl('taint', 'node', goes, 'node.kubernetes.io/out-of-service=nodeshutdown:NoExecute')
    await release.kubectl('rollout', 'status', 'statefulsets')
    await web.push()
    await web.hydrated()
    assert.deepEqual(await web.dryCommits(), web.pushed)
  })
})
