import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { until } from '@wadi/testing/until.ts'
import { watchDefinition } from './definition-warning.ts'

const logger = createLogger({ service: 'test', level: 'error', format: 'json' })

test('the definition of an older Argo CD, which drops what Wadi reads, is warned of with what to do', async () => {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-definition-'))
  const file = path.join(directory.path, 'applications.yaml')
  const spec = { type: 'object', properties: { project: { type: 'string' }, source: { type: 'object' } } }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'applications.argoproj.io' },
    spec: {
      group: 'argoproj.io',
      scope: 'Namespaced',
      names: { kind: 'Application', plural: 'applications' },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  }
  await writeFile(file, JSON.stringify(definition))
  await using api = await startKubernetesApi()
  await api.applyCrds(file)
  await using client = new KubernetesClient(api.config)
  const recorded: string[][] = []
  const troubles = { record: (...parts: string[]) => void recorded.push(parts) }
  using watch = await watchDefinition({ logger }, client, troubles)
  assert.deepEqual(recorded, [['OldDefinitions', watch.warning() ?? '']])
  assert.match(
    watch.warning() ?? '',
    /does not know spec.sourceHydrator, .* apply deploy\/crds\/applications.yaml$/,
  )
})

for (const { name, missing, open } of testClusterKinds) {
  test(`the definition of Wadi at the ${name} is no reason to warn`, { skip: missing ?? false }, async () => {
    await using cluster = await open()
    await using client = new KubernetesClient(cluster.config)
    const application = {
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      plural: 'applications',
    }
    // A server publishes the schema a while after it serves the kind.
    await until(() =>
      client.schemaOf(application).then(
        (schema) => schema?.['type'] === 'object',
        () => false,
      ),
    )
    using watch = await watchDefinition({ logger }, client, { record: () => assert.fail() })
    assert.equal(watch.warning(), undefined)
  })
}
