import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import { lendKubernetesPlane } from '@wadi/testing/kubernetes-plane/lent-plane.ts'
import type { PlaneAccess } from '@wadi/testing/kubernetes-plane/plane-access.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { until } from '@wadi/testing/until.ts'
import { kindResources } from './kind-resources.ts'
import { policiesGate } from './policies-gate.ts'
import { formParameters, objectOf, policyForms, policyOf } from './policy-forms-fixture.ts'

const resourceOf = kindResources([])

async function post(plane: PlaneAccess, object: Manifest, query = ''): Promise<string | undefined> {
  const { group, version, kind, namespace } = manifestIdentity(object)
  const { resource } = resourceOf(group, kind)
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const place = namespace === '' ? '' : `/namespaces/${namespace}`
  const { status, body } = await plane.ask('POST', `${base}${place}/${resource}${query}`, {
    type: 'application/json',
    text: manifestToJson(object),
  })
  if (status < 300) return undefined
  const { message }: { message: string } = JSON.parse(body)
  return message
}

test(
  'the gate and the API server say the same of every form of a policy',
  { skip: planeMissing() },
  async () => {
    await using lent = await lendKubernetesPlane()
    const all = [...formParameters, ...policyForms.flatMap(policyOf)]
    for (const object of all) assert.equal(await post(lent.plane, object), undefined)
    const policies = [{ file: 'policies.yaml', text: all.map(manifestToJson).join('\n---\n') }]
    const context = { cluster: { minorVersion: 36 }, policies }
    for (const form of policyForms) {
      const rejected = objectOf(form, form.rejected)
      const accepted = objectOf(form, form.accepted)
      let there: string | undefined
      await until(async () => (there = await post(lent.plane, rejected, '?dryRun=All')) !== undefined)
      const [[here] = []] = await policiesGate.check([rejected], context)
      const words = (there ?? '').replace(/\s+/g, ' ')
      assert.ok(
        here !== undefined && words.endsWith(` denied request: ${here.message}`),
        `${form.name}: ${words} / ${here?.message}`,
      )
      assert.equal(await post(lent.plane, accepted, '?dryRun=All'), undefined, form.name)
    }
  },
)

test('kinds have the plurals and scopes of the API server', { skip: planeMissing() }, async () => {
  await using lent = await lendKubernetesPlane()
  const { body } = await lent.plane.ask('GET', '/apis', {
    accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  })
  const core = await lent.plane.ask('GET', '/api', {
    accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  })
  const seen: string[] = []
  for (const text of [body, core.body]) {
    const list: {
      items: {
        metadata?: { name?: string }
        versions: {
          resources: { resource: string; scope: string; responseKind: { kind: string }; verbs: string[] }[]
        }[]
      }[]
    } = JSON.parse(text)
    for (const { metadata, versions } of list.items) {
      for (const { resource, scope, responseKind, verbs } of versions.flatMap(({ resources }) => resources)) {
        if (!verbs.includes('create') || !verbs.includes('get')) continue
        const group = metadata?.name ?? ''
        seen.push(responseKind.kind)
        assert.deepEqual(
          resourceOf(group, responseKind.kind),
          { resource, scope },
          `${group} ${responseKind.kind}`,
        )
      }
    }
  }
  assert.ok(seen.includes('NetworkPolicy') && seen.includes('Pod') && seen.includes('EndpointSlice'))
})
