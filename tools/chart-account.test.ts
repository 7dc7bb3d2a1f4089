import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { sharedKubernetesPlane } from '@wadi/testing/kubernetes-plane/shared-plane.ts'
import { renderChart } from './chart.ts'
import { listOf, openNamespaces } from './cluster-namespaces-fixture.ts'
import { readObjects } from './kubernetes-objects-fixture.ts'
import { startMeshProcess } from './mesh-process-fixture.ts'

const skip = planeMissing() ?? false

/** For a branch that is hydrated, on a busy machine. */
const maxSeconds = 240

test('the account of the small shape is enough to hydrate an Application of kubectl', { skip }, async () => {
  const { kubectl, kubectlUntil, namespace, readNamespace, writeNamespace, values } = await openNamespaces()
  const set = ['shape=small', ...values]
  const objects = readObjects(await renderChart({ namespace, set }), namespace)
  const access = objects.filter(({ kind }) => /^(?:ServiceAccount|Role|RoleBinding)$/.test(kind))
  await kubectl(['apply', '--filename=-'], listOf(access))

  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-account-'))
  const repository = await createRepository(path.join(scratch.path, 'deploy'))
  await repository.commitFiles(
    { 'web/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n' },
    'Add',
  )
  const plane = await sharedKubernetesPlane()
  const kubeconfig = path.join(scratch.path, 'kubeconfig')
  const token = await plane.accountToken(namespace, 'wadi-mesh')
  await writeKubeconfig(kubeconfig, {
    server: plane.server,
    namespace: undefined,
    tls: async () => ({ ca: plane.ca }),
    bearerToken: async () => token,
  })
  {
    await using _ = await startMeshProcess(path.join(scratch.path, 'data'), {
      WADI_NAMESPACE: namespace,
      WADI_CREDENTIALS_NAMESPACE: readNamespace,
      WADI_WRITE_CREDENTIALS_NAMESPACE: writeNamespace,
      WADI_STORE: 'kubernetes',
      WADI_KUBECONFIG: kubeconfig,
      WADI_ALLOW_FILE_URLS: 'true',
    })
    const application = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'web', namespace },
      spec: {
        project: 'default',
        destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
        sourceHydrator: {
          drySource: { repoURL: `file://${repository.directory}`, targetRevision: 'main', path: 'web' },
          syncSource: { targetBranch: 'environments/dev', path: 'web' },
        },
      },
    }
    await kubectl(['apply', '--filename=-'], listOf([application]))
    const watch = ['get', 'hydratedbranches', '--namespace', namespace, '--no-headers', '--watch']
    await kubectlUntil(watch, /environments\/dev\s+Hydrated\s/, maxSeconds)
    assert.match(await repository.git.raw(['show', 'environments/dev:web/manifest.yaml']), /name: web/)
  }
})
