import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { FollowedPolicies } from '../gates/cluster/cluster-policies.ts'
import { operatorViews } from '../run/operator-view.ts'
import { application, controlPlaneObject, startRunFixture } from '../run/run-fixture.ts'
import { getGates } from './get-gates.ts'

const noParameters = { read: async () => [], async *changes() {}, troubles: [] }

test('files of policies have an id of what is sent of them', async () => {
  await using fixture = await startRunFixture()
  const { store } = fixture
  const rules = '[{ gate: cluster-policies, severity: deny }]'
  const destinations = [{ server: 'https://kubernetes.default.svc', namespace: 'web' }]
  const validations = [{ expression: 'namespaceObject.metadata.name != "old"' }]
  await fixture.add(
    application('a', { project: 'shop' }),
    controlPlaneObject('ConfigMap', 'argocd-cm', { data: { 'wadi.gates': rules } }),
    controlPlaneObject('AppProject', 'shop', { spec: { destinations, sourceRepos: ['*'] } }),
    controlPlaneObject('ValidatingAdmissionPolicy', 'names', { spec: { validations } }),
    controlPlaneObject('Namespace', 'web', {}),
    controlPlaneObject('Namespace', 'secret', {}),
  )
  const policies = new FollowedPolicies(store, noParameters, () => [])
  const sent = async () => {
    policies.changed()
    const views = operatorViews(store, false, policies)
    const get = getGates({ index: fixture.context.index, store, operatorViews: views })
    const { signal } = new AbortController()
    const answer = await get(
      { $typeName: 'wadi.gates.v1.GetGatesRequest', namespace: 'argocd', name: 'a' },
      { signal },
    )
    const [set] = answer.policySets
    assert.ok(set)
    assert.equal(answer.gates.clusterPoliciesId, set.id)
    assert.ok(!JSON.stringify(set.files).includes('secret'))
    return set
  }
  const label = async (namespace: string) =>
    mutate(store, 'Namespace', 'argocd', namespace, (current) => {
      const metadata = { ...current.metadata, labels: { team: 'a' } }
      return { ...current, metadata }
    })
  const first = await sent()
  await label('secret')
  assert.deepEqual(await sent(), first)
  await label('web')
  assert.notEqual((await sent()).id, first.id)
})
