import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@wadi/testing/until.ts'
import { KubernetesClient } from '../client/kubernetes-client.ts'
import { acquireLease, leaseResource } from './lease.ts'
import { clusterSuites } from '../cluster-suites-fixture.ts'

const durationMs = 1_000

clusterSuites(
  (name) => `a Lease at the ${name}`,
  (at) => {
    /** Processes that want one Lease, and what they were told. */
    async function startProcesses() {
      const namespace = await at.cluster.createNamespace()
      const key = { namespace, name: 'wadi-hydrator' }
      const told: string[] = []
      const ended = new AbortController()
      const acquire = (holder: string, through = at.client, goodForMs = durationMs) =>
        acquireLease(
          through,
          {
            ...key,
            holder,
            durationMs: goodForMs,
            onTaken: (other) => void told.push(`${holder} waits for ${other}`),
            onLost: (other) => void told.push(`${holder} lost it to ${other}`),
            onError: (error) => void told.push(`${holder} ${String(error)}`),
          },
          ended.signal,
        )
      const spec = async () => (await at.client.get(leaseResource, key)).spec ?? {}
      return { key, told, acquire, spec, end: () => ended.abort() }
    }

    test('a second process waits for as long as the first renews', async () => {
      const { told, acquire, spec } = await startProcesses()
      const first = await acquire('one')
      const second = acquire('two')
      await delay(2 * durationMs)
      assert.equal((await spec())['holderIdentity'], 'one')
      assert.ok(told.length >= 3 && told.every((line) => line === 'two waits for one'), told.join('\n'))
      await first[Symbol.asyncDispose]()
      await using _ = await second
      const { holderIdentity, leaseTransitions } = await spec()
      assert.deepEqual({ holderIdentity, leaseTransitions }, { holderIdentity: 'two', leaseTransitions: 1 })
    })

    test('a Lease that is given back is taken although it was good for longer', async () => {
      const { told, acquire, spec } = await startProcesses()
      const first = await acquire('one', at.client, 3_600_000)
      const second = acquire('two')
      await until(() => told.length > 0)
      await first[Symbol.asyncDispose]()
      await using _ = await second
      assert.equal((await spec())['holderIdentity'], 'two')
    })

    test('the Lease of a process that is gone ends, however wrong its clock was; one that comes back has lost it', async () => {
      const { key, told, acquire, spec } = await startProcesses()
      let isAway: Promise<void> | undefined
      const back = Promise.withResolvers<void>()
      await using away = new KubernetesClient({
        ...at.cluster.config,
        bearerToken: async () => {
          await isAway
          return at.cluster.config.bearerToken()
        },
      })
      const first = await acquire('one', away)
      isAway = back.promise
      const { metadata, spec: taken, ...lease } = await at.client.get(leaseResource, key)
      const renewTime = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z')
      await at.client.update(leaseResource, { ...lease, metadata, spec: { ...taken, renewTime } })
      await using _ = await acquire('two')
      assert.equal((await spec())['holderIdentity'], 'two')
      isAway = undefined
      back.resolve()
      await until(() => told.includes('one lost it to two'))
      await first[Symbol.asyncDispose]()
      assert.equal((await spec())['holderIdentity'], 'two', 'who has lost it gives nothing back')
    })

    test('a process that starts again under its name goes on at once, and a deleted Lease is made again', async () => {
      const { key, told, acquire, spec } = await startProcesses()
      await using earlier = await acquire('one')
      const started = performance.now()
      await using again = await acquire('one')
      assert.ok(performance.now() - started < durationMs && earlier !== again)
      await at.client.delete(leaseResource, key)
      await until(async () => (await spec().catch(() => undefined))?.['holderIdentity'] === 'one')
      assert.deepEqual(
        told.filter((line) => line.includes('waits') || line.includes('lost')),
        [],
      )
    })

    test('waiting ends with its signal', async () => {
      const { acquire, end } = await startProcesses()
      await using _ = await acquire('one')
      const waiting = acquire('two')
      end()
      await assert.rejects(waiting, { name: 'AbortError' })
    })
  },
)
