import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { nodeAddress } from '@wadi/testing/kubernetes-node/node-place.ts'
import { wadiImage } from '@wadi/testing/kubernetes-node/node-images.ts'
import { nodeMissing } from '@wadi/testing/kubernetes-node/node-programs.ts'
import { until } from '@wadi/testing/until.ts'
import { HydratedApplication } from './hydrated-application-fixture.ts'
import { podAddresses, reachedFrom, startPause } from './pod-network-fixture.ts'
import { byForce, gitPort, Release, twoOfEach } from './release-fixture.ts'
import { sharedNode } from './shared-node-fixture.ts'

const missing = nodeMissing()
if (missing !== undefined) console.error(`no rollout is tested in pods: ${missing}`)

const services = ['api-gateway', 'hydrator', 'repo-server', 'commit-server', 'appset-service']
const metrics = services.map((service) => `${service} metrics`)
/** The Kubernetes API, and git servers. */
const outside = ['api', 'git']

/**
 * The servers that the pods of each service, and those of two other namespaces, reach. A gateway reaches the other one, although no policy lets it call that:
 * kube-router also lets those in whom a policy lets in where it asks whom the same policy lets out.
 */
const reaches = {
  'api-gateway': [...services, 'redis', ...outside],
  hydrator: ['repo-server', 'commit-server', 'redis', 'api'],
  'repo-server': outside,
  'commit-server': outside,
  'appset-service': ['repo-server', ...outside],
  redis: [],
  monitoring: ['api-gateway', ...metrics, ...outside],
  others: ['api-gateway', ...outside],
}

suite('the highly available shape on a node', { skip: missing ?? false }, () => {
  let release: Release
  let web: HydratedApplication
  const owned = new AsyncDisposableStack()
  before(async () => {
    release = owned.use(await Release.install(await sharedNode(), 'available', twoOfEach))
    web = await HydratedApplication.add(release, owned)
  })
  after(() => owned.disposeAsync())

  test('lets pods reach what they need alone', async () => {
    for (const namespace of ['monitoring', 'others']) owned.use(await startPause(release.node, namespace))
    const pods = await podAddresses(release, ['monitoring', 'others'])
    const targets = new Map([
      ['10.96.0.1:443', 'api'],
      [`${nodeAddress}:${gitPort}`, 'git'],
    ])
    for (const { service, address } of pods) {
      targets.set(`${address}:${service === 'redis' ? 6379 : 8080}`, service)
      targets.set(`${address}:9090`, `${service} metrics`)
    }
    const reached = async (from: string) => {
      const pod = pods.find(({ service }) => service === from)
      assert.ok(pod, from)
      const others = [...targets].filter(([address]) => !address.startsWith(`${pod.address}:`))
      const addresses = await reachedFrom(
        release.node,
        pod,
        others.map(([address]) => address),
      )
      return new Set(addresses.map((address) => targets.get(address)))
    }
    // The policies follow new pods.
    await until(async () => (await reached('monitoring')).has('hydrator metrics'))
    for (const [from, expected] of Object.entries(reaches)) {
      assert.deepEqual(await reached(from), new Set(expected), `from ${from}`)
    }
  })

  test('lets a drain take one pod of a service at a time', async () => {
    const budgets = async () => {
      const collection = `/apis/policy/v1/namespaces/${release.namespace}/poddisruptionbudgets`
      const list: {
        items: { metadata: { name: string }; status: { expectedPods: number; disruptionsAllowed: number } }[]
      } = JSON.parse((await release.node.ask('GET', collection)).body)
      return list.items.map(
        ({ metadata, status }) => `${metadata.name} ${status.disruptionsAllowed} of ${status.expectedPods}`,
      )
    }
    const expected = services.map((service) => `wadi-${service} 1 of 2`)
    await until(async () => (await budgets()).every((budget) => expected.includes(budget)))
    assert.equal((await budgets()).length, services.length)
  })

  test('loses no call in upgrades, and no dry commit whichever pod ends', async () => {
    const load = await release.load()
    const upgraded = new AbortController()
    const pushes = async () => {
      while (!upgraded.signal.aborted) {
        await web.push()
        await web.hydrated()
      }
    }
    const upgrades = async () => {
      await release.node.tagImage(wadiImage, `${wadiImage}-next`)
      await release.helm('upgrade', [`image=${wadiImage}-next`, 'settings.WADI_POLL_INTERVAL=2s'])
      const pods = await release.pods()
      for (const isScaled of [true, false]) await release.helm('upgrade', [`autoscaling.enabled=${isScaled}`])
      assert.deepEqual(await release.pods(), pods)
    }
    await Promise.all([upgrades().finally(() => upgraded.abort()), pushes()])
    await load.end()
    assert.deepEqual(load.failures, [])
    assert.ok(load.calls > 500, `${load.calls} calls`)

    for (const service of ['hydrator', 'repo-server', 'commit-server', 'redis']) {
      await web.pushAround('--selector', `app.kubernetes.io/name=${service}`, ...byForce)
    }
    await web.pushAround('--selector', 'app.kubernetes.io/part-of=wadi', ...byForce)
    assert.deepEqual(await web.dryCommits(), web.pushed)
  })
})
