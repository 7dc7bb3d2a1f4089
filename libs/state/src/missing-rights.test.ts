import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, suite, test } from 'node:test'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import type { PlaneAccess } from '@wadi/testing/kubernetes-plane/plane-access.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { sharedKubernetesPlane } from '@wadi/testing/kubernetes-plane/shared-plane.ts'
import { until } from '@wadi/testing/until.ts'
import { missingRights } from './missing-rights.ts'
import { neededRights } from './stored-objects.ts'

suite('rights at a real API server', { skip: planeMissing() ?? false }, () => {
  let plane: PlaneAccess
  before(async () => {
    plane = await sharedKubernetesPlane()
  })

  test('every right that a role leaves out is named, and none that it grants', async () => {
    const namespace = `test-${randomUUID().slice(0, 8)}`
    await plane.create('/api/v1/namespaces', { metadata: { name: namespace } })
    const token = await plane.accountToken(namespace, 'service')
    await using client = new KubernetesClient({
      server: plane.server,
      namespace: undefined,
      tls: async () => ({ ca: plane.ca }),
      bearerToken: async () => token,
    })
    const rights = neededRights(
      [
        { kind: 'Application', within: 'applications', writes: ['patch'] },
        { kind: 'Secret', within: 'applications', names: ['one', 'two'], writes: ['create'] },
      ],
      { namespaces: [namespace] },
    )
    const { signal } = new AbortController()
    const inNamespace = `in namespace ${namespace}`
    assert.deepEqual(await missingRights(client, rights, signal), [
      `get, list, watch, patch applications.argoproj.io ${inNamespace}`,
      `get, list, watch secrets named one ${inNamespace}`,
      `get, list, watch secrets named two ${inNamespace}`,
      `create secrets ${inNamespace}`,
    ])
    const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
    await plane.create(`${roles}/roles`, {
      metadata: { name: 'service' },
      rules: [
        { apiGroups: ['argoproj.io'], resources: ['applications'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'], resourceNames: ['one'] },
      ],
    })
    await plane.create(`${roles}/rolebindings`, {
      metadata: { name: 'service' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'service' },
      subjects: [{ kind: 'ServiceAccount', name: 'service', namespace }],
    })
    await until(async () => (await missingRights(client, rights, signal)).length === 3)
    assert.deepEqual(await missingRights(client, rights, signal), [
      `patch applications.argoproj.io ${inNamespace}`,
      `get, list, watch secrets named two ${inNamespace}`,
      `create secrets ${inNamespace}`,
    ])
    const everywhere = neededRights([{ kind: 'Application', within: 'applications' }], {
      isWithin: () => true,
    })
    assert.deepEqual(await missingRights(client, everywhere, signal), [
      'get, list, watch applications.argoproj.io in all namespaces',
    ])
  })
})
