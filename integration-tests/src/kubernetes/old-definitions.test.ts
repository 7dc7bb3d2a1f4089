import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { oldDefinitions } from '@wadi/kubernetes/definitions/old-definitions.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { lendKubernetesPlane } from '@wadi/testing/kubernetes-plane/lent-plane.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { until } from '@wadi/testing/until.ts'

const branches = usedResource('HydratedBranch')

/** Application as an older Argo CD defines it, as far as that matters here. */
const oldApplication = JSON.stringify({
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
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { project: { type: 'string' } } } },
          },
        },
      },
    ],
  },
})

test(
  'definitions of an older Argo CD and an older Wadi are warned of, until they are those of this version',
  {
    skip: planeMissing() ?? false,
  },
  async () => {
    await using owned = new AsyncDisposableStack()
    const { plane } = owned.use(await lendKubernetesPlane())
    const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-definitions-')))
    const client = owned.use(
      new KubernetesClient({
        server: plane.server,
        namespace: undefined,
        tls: async () => ({ ca: plane.ca }),
        bearerToken: async () => plane.adminToken,
      }),
    )
    const define = async (text: string) => {
      const file = path.join(directory.path, 'definition.yaml')
      await writeFile(file, text)
      await plane.applyCrds(file)
    }
    /** Waits until the server publishes a schema, which it does a while after it serves the kind. */
    const published = (kind: string, part: string) =>
      until(async () => {
        const schema = await client.schemaOf(usedResource(kind)).catch(() => undefined)
        return JSON.stringify(schema ?? {}).includes(part)
      })
    const [applications = '', , , hydratedBranches = ''] = await Promise.all(
      crdFiles.map((file) => readFile(file, 'utf8')),
    )

    await define(oldApplication)
    // As before attempts and proofs were recorded.
    await define(withoutFields(hydratedBranches, 'attempt', 'proof'))
    await published('Application', '"project"')
    await published('HydratedBranch', '"isSettled"')
    const [ofArgoCd = '', ofWadi = ''] = await oldDefinitions(client, assert.fail)
    assert.match(
      ofArgoCd,
      /^the cluster's definition of Application does not know spec\.sourceHydrator, .* 2\.14 or newer/,
    )
    assert.match(
      ofWadi,
      /^the cluster's definition of HydratedBranch does not know status\.pullRequest\.attempt, status\.groups\[\]\.success\.proof, so the API server drops them/,
    )
    assert.match(
      ofWadi,
      /: kubectl apply --server-side --force-conflicts -f deploy\/crds\/hydratedbranches\.yaml$/,
    )

    await plane.create('/api/v1/namespaces', { metadata: { name: 'wadi' } })
    const { apiVersion, kind } = { apiVersion: 'wadi.dev/v1alpha1', kind: 'HydratedBranch' }
    const spec = { repoURL: 'https://git.example.com/deploy.git', branch: 'environments/dev' }
    const created = await client.create(branches, {
      apiVersion,
      kind,
      metadata: { namespace: 'wadi', name: 'dev' },
      spec,
    })
    const pullRequest = { number: '7', attempt: 'the first' }
    const kept = await client.updateStatus(branches, { ...created, status: { pullRequest } })
    assert.deepEqual(kept.status, { pullRequest: { number: '7' } })

    await define(applications)
    await define(hydratedBranches)
    await published('Application', 'preserve-unknown-fields')
    await published('HydratedBranch', '"attempt"')
    const same = await client.updateStatus(branches, { ...kept, status: { pullRequest } })
    assert.deepEqual(same.status, { pullRequest })
    assert.deepEqual(await oldDefinitions(client, assert.fail), [])
  },
)

/** Takes the fields of some names out of a definition, with all that is within them. */
function withoutFields(definition: string, ...names: readonly string[]): string {
  return names.reduce(
    (text, name) => text.replace(new RegExp(`^( +)${name}:\\n(?:\\1 +.*\\n)+`, 'm'), ''),
    definition,
  )
}
