import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { openKubernetesStore } from '@wadi/kubernetes/store/kubernetes-store.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { type TestCluster, testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { until } from '@wadi/testing/until.ts'
import { clusterPolicyKinds } from './cluster-policy-kinds.ts'
import { FollowedPolicies } from './cluster-policies.ts'
import { FollowedParameters } from './followed-parameters.ts'

const apiVersion = 'admissionregistration.k8s.io/v1'

/** A policy for the ConfigMaps of one namespace, and its binding. */
function policyIn(namespace: string, more: Record<string, unknown> = {}, ofBinding = {}): Resource[] {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }
  const matchLabels = { 'kubernetes.io/metadata.name': namespace }
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: namespace },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: 'object.data.size != "0"', message: 'is empty' }],
        ...more,
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: namespace },
      spec: {
        policyName: namespace,
        validationActions: ['Deny'],
        matchResources: { namespaceSelector: { matchLabels } },
        ...ofBinding,
      },
    },
  ]
}

const gatherMs = 200

/** The policies of a cluster as a hydrator follows them, for as long as a test takes. */
async function follow(open: () => Promise<TestCluster>, limit?: number) {
  const owned = new AsyncDisposableStack()
  const cluster = owned.use(await open())
  const client = owned.use(new KubernetesClient(cluster.config))
  const store = owned.use(openKubernetesStore(client, { onError: () => undefined }))
  store.follow(clusterPolicyKinds)
  const parameters = owned.use(new FollowedParameters(client, gatherMs))
  const policies = new FollowedPolicies(store, parameters, () => store.troubles, limit)
  const namespace = await cluster.createNamespace()
  const create = async (objects: readonly Resource[]) => {
    for (const object of objects) {
      await client.create(usedResource(object.kind), object)
      owned.defer(() => client.delete(usedResource(object.kind), object.metadata).then(() => undefined))
    }
  }
  /** Reads the policies until they are as they should be. */
  const readUntil = async (isRight: (texts: string) => boolean) => {
    const read = async () => {
      policies.changed()
      const { texts, ...rest } = await policies.read()
      return { ...rest, text: [...texts].flat().join('\n') }
    }
    await until(async () => isRight((await read()).text))
    return read()
  }
  return {
    cluster,
    client,
    policies,
    namespace,
    create,
    readUntil,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

for (const { name, missing, open } of testClusterKinds) {
  suite(`policies of the ${name}`, { skip: missing ?? false }, () => {
    test('come with the Namespaces that they read, and are others when one of them changes', async () => {
      await using cluster = await follow(open)
      const { namespace, client } = cluster
      await cluster.create(policyIn(namespace))
      const first = await cluster.readUntil((text) => text.includes(`Binding/${namespace} of the cluster`))
      assert.match(first.text, /"expression":"object\.data\.size != \\"0\\"","message":"is empty"/)
      assert.ok(first.text.includes(`"kind":"Namespace","metadata":{`))
      assert.ok(!first.text.includes('resourceVersion') && !first.text.includes('"status"'))

      const place = { name: namespace }
      const patch = async (kind: string, body: Record<string, unknown>) =>
        void (await client.patch(usedResource(kind), place, body))
      await patch('ValidatingAdmissionPolicy', { metadata: { annotations: { team: 'shop' } } })
      await patch('Namespace', { metadata: { labels: { team: 'shop' } } })
      const labelled = await cluster.readUntil((text) => text.includes('"team":"shop"'))
      assert.notEqual(labelled.id, first.id)
      await patch('Namespace', { metadata: { labels: { team: null } } })
      const again = await cluster.readUntil((text) => !text.includes('"team":"shop"'))
      const ownLines = (text: string) =>
        text.split('\n').filter((line) => line.includes(`"name":"${namespace}"},"spec"`))
      // The annotation of the policy decides nothing.
      assert.deepEqual(ownLines(again.text), ownLines(first.text))
    })

    test('come with the parameters that bindings choose, and no others', async () => {
      await using cluster = await follow(open)
      const { namespace, client, policies } = cluster
      const limits = (own: string, size: string, labels = {}): Resource => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: own, namespace, labels },
        data: { size },
      })
      await cluster.create([
        limits('named', '1'),
        limits('labelled', '2', { env: 'prod' }),
        limits('other', '3'),
      ])
      const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' }
      const common = { namespace, parameterNotFoundAction: 'Deny' }
      const [policy, binding] = policyIn(namespace, { paramKind }, { paramRef: { ...common, name: 'named' } })
      assert.ok(policy && binding)
      const matchExpressions = [{ key: 'env', operator: 'In', values: ['prod', 'test'] }]
      const byLabels = {
        ...binding,
        metadata: { name: `${namespace}-labels` },
        spec: { ...binding.spec, paramRef: { ...common, selector: { matchExpressions } } },
      }
      await cluster.create([policy, binding, byLabels])
      const read = await cluster.readUntil((text) =>
        /"size":"1".*"size":"2"|"size":"2".*"size":"1"/.test(text),
      )
      assert.ok(!read.text.includes('"size":"3"') && !read.text.includes('managedFields'))
      const end = new AbortController()
      const changed = policies.parameterChanges(end.signal).next()
      await client.patch(usedResource('ConfigMap'), { namespace, name: 'named' }, { data: { size: '7' } })
      await changed
      const again = await cluster.readUntil((text) => text.includes('"size":"7"'))
      assert.notEqual(again.id, read.id)
      end.abort()
    })

    test('that take Secrets as parameters deny nothing, and say so', async () => {
      await using cluster = await follow(open)
      const { namespace } = cluster
      const paramKind = { apiVersion: 'v1', kind: 'Secret' }
      const paramRef = { name: 'limits', namespace, parameterNotFoundAction: 'Deny' }
      await cluster.create(policyIn(namespace, { paramKind }, { paramRef }))
      const { text } = await cluster.readUntil((all) => all.includes(`Binding/${namespace} of the cluster`))
      const own = text.split('\n').filter((line) => line.includes(`"name":"${namespace}"},"spec"`))
      assert.match(own.join(), /cannot be judged here, as its parameters of the kind Secret cannot be read/)
      assert.match(own.join(), /"validationActions":\["Warn"\]/)
      assert.ok(!own.join().includes('paramRef') && !own.join().includes('paramKind'))
    })

    test('come beside the definitions of custom kinds, as far as they check objects', async () => {
      await using cluster = await follow(open)
      const { namespace } = cluster
      const group = `${namespace}.example.com`
      const schema = { type: 'object', description: 'a shop', 'x-kubernetes-preserve-unknown-fields': true }
      await cluster.create([
        {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: `shops.${group}` },
          spec: {
            group,
            scope: 'Cluster',
            names: { kind: 'Shop', plural: 'shops', singular: 'shop', listKind: 'ShopList' },
            versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
          },
        },
      ])
      const { text } = await cluster.readUntil((all) => all.includes(group))
      assert.ok(
        text.includes(
          `"spec":{"group":"${group}","names":{"kind":"Shop","plural":"shops"},"scope":"Cluster"}`,
        ),
      )
      const definitions = await cluster.policies.definitions()
      const own = definitions.find((definition) => definition.group === group)
      assert.match(
        own?.text ?? '',
        /"openAPIV3Schema":\{"type":"object","x-kubernetes-preserve-unknown-fields":true\}/,
      )
      assert.ok(!own?.text.includes('status'))
    })

    test('are the last known while the API server is away, then an error, and known again when it is back', async () => {
      await using cluster = await follow(open, 200)
      const {
        policies,
        namespace,
        cluster: { relay },
      } = cluster
      await cluster.create(policyIn(namespace))
      const { id } = await cluster.readUntil((text) => text.includes(`Binding/${namespace} of the cluster`))
      relay.refuse()
      assert.equal((await policies.read()).id, id)
      await until(async () =>
        policies.read().then(
          () => false,
          () => true,
        ),
      )
      await assert.rejects(policies.read(), /policies of the cluster were followed last \d+ minutes ago: /)
      relay.accept()
      await until(async () =>
        policies.read().then(
          () => true,
          () => false,
        ),
      )
    })
  })
}
