import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import { configMap } from '../application-fixture.ts'
import { ownClusterKinds } from './own-cluster-fixture.ts'
import { startPolicyMesh } from './policy-mesh-fixture.ts'

const namespaces = usedResource('Namespace')
const policies = usedResource('ValidatingAdmissionPolicy')
const bindings = usedResource('ValidatingAdmissionPolicyBinding')
const definitions = usedResource('CustomResourceDefinition')
const configMaps = usedResource('ConfigMap')

function validations(message: string) {
  return { validations: [{ expression: 'object.data.value != "bad"', message }] }
}

/** Has a cluster judge the ConfigMaps of Namespaces with the label `env: prod`. */
async function createPolicy(client: KubernetesClient): Promise<void> {
  const [kind, apiVersion] = ['ValidatingAdmissionPolicy', 'admissionregistration.k8s.io/v1']
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['configmaps'],
  }
  await client.create(policies, {
    apiVersion,
    kind,
    metadata: { name: 'values' },
    spec: { matchConstraints: { resourceRules: [rule] }, ...validations('must not be bad') },
  })
  const namespaceSelector = { matchLabels: { env: 'prod' } }
  await client.create(bindings, {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name: 'values' },
    spec: { policyName: 'values', validationActions: ['Deny'], matchResources: { namespaceSelector } },
  })
}

/** Has a cluster know shops, whose size is a number. */
async function createDefinition(client: KubernetesClient): Promise<void> {
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer' } } } }
  const schema = { openAPIV3Schema: { type: 'object', properties } }
  await client.create(definitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'shops.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Shop', plural: 'shops', singular: 'shop', listKind: 'ShopList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  })
}

const rules = `
- { gate: cluster-policies, severity: deny }
- { gate: schemas, severity: deny, clusterDefinitions: [example.com] }
`

for (const { name: kind, missing, open } of ownClusterKinds) {
  suite(`policies of the ${kind}`, { skip: missing ?? false }, () => {
    test('deny before the push what the cluster would reject, and a change of them judges again', async () => {
      await using policyMesh = await startPolicyMesh(open)
      const { client, fixture } = policyMesh
      await createPolicy(client)
      await createDefinition(client)
      await fixture.applyOperatorSettings({ 'wadi.gates': rules })

      const shop = 'apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: a}\nspec: {size: large}\n'
      const files = {
        'shop/a.yaml': configMap('a', 'bad'),
        'demo/a.yaml': configMap('a', 'bad'),
        'sized/a.yaml': shop,
      }
      const repository = await fixture.createRepository('dry', files)
      const of = (name: string) => ({ name, repoURL: repository.url, branch: name, namespace: name })
      await fixture.applyAndWait(await repository.dry.head(), of('demo'))
      const denied = /cluster-policies\/values ConfigMap\/a: must not be bad/
      assert.match(await fixture.applyAndFail(of('shop')), denied)
      assert.match(await fixture.applyAndFail(of('sized')), /schemas\/wrong-type Shop\/a spec\.size: /)
      if (kind === 'API server') {
        const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } }
        await assert.rejects(
          client.create(configMaps, { ...object, data: { value: 'bad' } }),
          /ValidatingAdmissionPolicy 'values' with binding 'values' denied request: must not be bad/,
        )
      }

      // Nobody asks: the changes in the cluster do.
      await client.patch(policies, { name: 'values' }, { spec: validations('is bad') })
      await fixture.waitFor('shop', ({ status }) =>
        /values ConfigMap\/a: is bad/.test(status.currentOperation?.message ?? ''),
      )
      await client.patch(namespaces, { name: 'demo' }, { metadata: { labels: { env: 'prod' } } })
      await client.delete(policies, { name: 'values' })
      await fixture.waitFor('shop', ({ status }) => status.currentOperation?.phase === 'Hydrated')
    })
  })
}
