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
import { named, updateForms, updatePolicyOf } from './update-forms-fixture.ts'

const resourceOf = kindResources([])

async function post(plane: PlaneAccess, object: Manifest, query = ''): Promise<string | undefined> {
  return send(plane, 'POST', object, query)
}

/** Returns the message of the API server if it rejects an object. */
async function send(
  plane: PlaneAccess,
  method: 'POST' | 'PUT',
  object: Manifest,
  query: string,
): Promise<string | undefined> {
  const { group, version, kind, namespace, name } = manifestIdentity(object)
  const { resource } = resourceOf(group, kind)
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const place = namespace === '' ? '' : `/namespaces/${namespace}`
  const own = method === 'PUT' ? `/${name}` : ''
  const { status, body } = await plane.ask(method, `${base}${place}/${resource}${own}${query}`, {
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

test(
  'the gate and the API server say the same of every form of a change',
  { skip: planeMissing() },
  async () => {
    await using lent = await lendKubernetesPlane()
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
    const all = [namespace, ...updateForms.flatMap(updatePolicyOf)]
    for (const object of all) assert.equal(await post(lent.plane, object), undefined)
    const policies = [{ file: 'policies.yaml', text: all.map(manifestToJson).join('\n---\n') }]
    for (const form of updateForms) {
      const [before, rejected, accepted] = [form.former, form.rejected, form.accepted].map((object) =>
        named(form, object),
      )
      assert.ok(before && rejected && accepted)
      assert.equal(await post(lent.plane, before), undefined, form.name)
      const context = { cluster: { minorVersion: 36 }, policies, former: [before] }
      let there: string | undefined
      await until(async () => (there = await send(lent.plane, 'PUT', rejected, '?dryRun=All')) !== undefined)
      const [[here, ...more] = []] = await policiesGate.check([rejected], context)
      assert.deepEqual([here?.rule, more], [form.name, []])
      assert.ok((there ?? '').endsWith(` denied request: ${here?.message}`), `${there} / ${here?.message}`)
      assert.equal(await send(lent.plane, 'PUT', accepted, '?dryRun=All'), undefined, form.name)
      assert.deepEqual(await policiesGate.check([accepted], context), [[]], form.name)
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
