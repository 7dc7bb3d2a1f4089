import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite, test } from 'node:test'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import { startMesh } from '@wadi/mesh/mesh.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { configMap } from '../application-fixture.ts'
import { HydrationFixture } from '../hydration-fixture.ts'
import { gitUser, quietEnvironment, startListenedGitServer } from '../mesh-fixture.ts'
import { ownClusterKinds } from './own-cluster-fixture.ts'

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
      await using owned = new AsyncDisposableStack()
      const cluster = owned.use(await open())
      const client = owned.use(new KubernetesClient(cluster.config))
      for (const [name, env] of Object.entries({ shop: 'prod', demo: 'test' }))
        await client.create(namespaces, {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name, labels: { env } },
        })
      await createPolicy(client)
      await createDefinition(client)
      const { path: directory } = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-policies-')))
      const kubeconfig = path.join(directory, 'kubeconfig')
      await writeKubeconfig(kubeconfig, cluster.config)
      const git = await startListenedGitServer()
      owned.use(git.server)
      const dataDirectory = path.join(directory, 'data')
      await shareToolCache(dataDirectory)
      const environment = {
        ...quietEnvironment,
        WADI_STORE: 'kubernetes',
        WADI_KUBECONFIG: kubeconfig,
        WADI_WRITE_CREDENTIALS_NAMESPACE: 'wadi-write',
        WADI_CLUSTER_POLICIES: 'true',
      }
      const mesh = owned.use(await startMesh({ dataDirectory, listen: '127.0.0.1:0', environment }))
      const parts = { address: mesh.address, token: mesh.adminToken, directory, git: git.server }
      const fixture = owned.use(new HydrationFixture(parts))
      await fixture.addCredentials({ repoUrl: git.server.url, isPrefix: true, ...gitUser })
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
