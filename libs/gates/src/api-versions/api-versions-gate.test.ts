import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkObjects } from '../check-objects.ts'
import { removedApis } from './removed-apis.ts'

async function messages(apiVersion: string, kind: string, minorVersion: number): Promise<string[]> {
  const manifest = { apiVersion, kind, metadata: { name: 'web' } }
  const severities = { 'api-versions': 'deny' } as const
  const findings = await checkObjects([manifest], severities, { cluster: { minorVersion } })
  return findings.map(({ rule, field, message }) => `${rule} ${field} ${message}`)
}

test('an API version is found from the version of Kubernetes on that lacks it', async () => {
  assert.deepEqual(await messages('extensions/v1beta1', 'Ingress', 30), [
    'api-versions/removed apiVersion is not in Kubernetes 1.22 and later; use networking.k8s.io/v1',
  ])
  assert.deepEqual(await messages('policy/v1beta1', 'PodSecurityPolicy', 30), [
    'api-versions/removed apiVersion is not in Kubernetes 1.25 and later; remove it, as nothing replaces it',
  ])
  const [group, kind] = ['flowcontrol.apiserver.k8s.io', 'FlowSchema'] as const
  assert.equal((await messages(`${group}/v1beta3`, kind, 31)).length, 0)
  assert.equal((await messages(`${group}/v1beta3`, kind, 32)).length, 1)
})

test('other kinds of a group version, and own groups, are not found', async () => {
  assert.deepEqual(await messages('networking.k8s.io/v1beta1', 'ServiceCIDR', 33), [])
  assert.deepEqual(await messages('networking.k8s.io/v1', 'Ingress', 37), [])
  assert.deepEqual(await messages('shop.example.com/v1beta1', 'Ingress', 37), [])
})

test('every line of the table has a kind, and a replacement that is not removed itself', () => {
  for (const { removedIn, apiVersion, kinds, use } of removedApis) {
    assert.ok(removedIn >= 16 && removedIn <= 37 && kinds.every((kind) => /^[A-Z]/.test(kind)), apiVersion)
    assert.ok(
      !removedApis.some(
        (other) => other.apiVersion === use && other.kinds.some((kind) => kinds.includes(kind)),
      ),
      apiVersion,
    )
  }
})
