import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { until } from '@wadi/testing/until.ts'
import { FollowedPolicies } from '../gates/cluster/cluster-policies.ts'
import { controlPlaneObject } from '../run/run-fixture.ts'
import { followOperatorObjects } from './follow-operator-objects.ts'

const noParameters = { read: async () => [], async *changes() {}, troubles: [] }

class CountedChanges extends FollowedPolicies {
  count = 0

  override changed(): void {
    this.count += 1
    super.changed()
  }
}

test('branches are polled when the policies of the cluster that rules use change, not for other objects of it', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-follow-'))
  await using store = openSqliteStore({ file: join(directory.path, 'state.db') })
  const rules = '[{ gate: cluster-policies, severity: deny }]'
  await store.create(controlPlaneObject('ConfigMap', 'argocd-cm', { data: { 'wadi.gates': rules } }))
  const clusterPolicies = new CountedChanges(store, noParameters, () => [])
  let [looks, polls] = [0, 0]
  const end = new AbortController()
  const reactions = { lookAgain: () => void looks++, requestPoll: () => void polls++ }
  let changes = 0
  /** Stores an object; what follows from the one before is done once it is read. */
  const put = async (kind: string, name: string, spec: Record<string, unknown> = {}) => {
    await store.create(controlPlaneObject(kind, name, { spec }))
    changes += 1
    await until(async () => clusterPolicies.count === changes)
  }
  const following = followOperatorObjects({ store, clusterPolicies }, reactions, end.signal)
  let projects = 0
  await until(async () => {
    await store.create(controlPlaneObject('AppProject', `project-${projects++}`, {}))
    return looks > 0
  })
  await put('Namespace', 'shop')
  await put('ValidatingAdmissionPolicy', 'values', { validations: [] })
  await put('Namespace', 'demo')
  await put('Namespace', 'other')
  assert.equal(polls, 1)
  end.abort()
  await following
})
