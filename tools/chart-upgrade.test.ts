import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { deployDirectory } from './chart.ts'
import { openNamespaces } from './cluster-namespaces-fixture.ts'

const chart = path.join(deployDirectory, 'helm/wadi')
const formerChart = path.join(import.meta.dirname, 'testdata/wadi-chart-0.1.0.tgz')

/** A release of the chart in namespaces of a test. */
async function openRelease() {
  const { kubectl, kubeconfig, namespace, values: namespaces } = await openNamespaces()
  const [helm = ''] = (await findTools({ cacheDirectory: toolCache })).helm.command
  const own = [
    ...namespaces,
    'credentials.createNamespace=false',
    'writeCredentials.createNamespace=false',
    'installHydratedBranches=false',
  ]
  const runHelm = async (...args: string[]) => {
    await promisify(execFile)(helm, [...args, '--namespace', namespace, '--kubeconfig', kubeconfig])
  }
  const flags = (values: readonly string[]) => [
    '--skip-crds',
    ...[...own, ...values].flatMap((value) => ['--set', value]),
  ]
  const upgrade = (...values: string[]) => runHelm('upgrade', '--install', 'wadi', chart, ...flags(values))
  const installFormer = (...values: string[]) => runHelm('install', 'wadi', formerChart, ...flags(values))
  const read = async (object: string, field: string) =>
    kubectl(['get', object, '--namespace', namespace, '--output', `jsonpath={${field}}`])
  return { runHelm, installFormer, upgrade, read, kubectl, namespace }
}

suite('an upgrade of the chart', { skip: planeMissing() ?? false }, () => {
  for (const shape of ['services', 'small']) {
    test(`the former chart in the shape ${shape} becomes this one with its keys and values, and goes back`, async () => {
      const { runHelm, installFormer, read } = await openRelease()
      const workload = shape === 'small' ? 'statefulset/wadi-mesh' : 'deployment/wadi-hydrator'
      const imageOf = () => read(workload, '.spec.template.spec.containers[0].image')
      await installFormer(`shape=${shape}`, 'settings.WADI_LOG_LEVEL=debug')
      const keys = await read('secret/wadi-secrets', '.data')
      const again = ['upgrade', 'wadi', chart, '--set', 'image=registry.example.com/wadi:new']
      await assert.rejects(runHelm(...again, '--reuse-values'), /leaves out .* use --reset-then-reuse-values/)
      await runHelm(...again, '--reset-then-reuse-values')
      assert.equal(await imageOf(), 'registry.example.com/wadi:new')
      assert.match(
        await read(workload, '.spec.template.spec.containers[0].env'),
        /"WADI_LOG_LEVEL","value":"debug"/,
      )
      assert.equal(await read('secret/wadi-secrets', '.data'), keys)
      await runHelm('rollback', 'wadi')
      assert.equal(await imageOf(), 'wadi:0.1.0')
      assert.equal(await read('secret/wadi-secrets', '.data'), keys)
    })
  }

  test('autoscaling that is turned on or off stops no pod', async () => {
    const { upgrade, read, kubectl, namespace } = await openRelease()
    const several = ['apiGateway.replicas=3', 'hydrator.replicas=2', 'repoServer.replicas=2']
    const names = ['deployment/wadi-api-gateway', 'deployment/wadi-hydrator', 'statefulset/wadi-repo-server']
    const replicas = async () => Promise.all(names.map((name) => read(name, '.spec.replicas')))
    await upgrade(...several)
    assert.deepEqual(await replicas(), ['3', '2', '2'])
    await upgrade(...several, 'autoscaling.enabled=true')
    assert.deepEqual(await replicas(), ['3', '2', '2'])
    // As the scaler does.
    await kubectl(['scale', '--replicas=6', 'deployment/wadi-hydrator', '--namespace', namespace])
    await upgrade(...several, 'autoscaling.enabled=true', 'settings.WADI_LOG_LEVEL=debug')
    assert.deepEqual(await replicas(), ['3', '6', '2'])
  })

  test('services connect to an address of Redis that stays', async () => {
    const { upgrade, read } = await openRelease()
    await upgrade()
    const url = Buffer.from(await read('secret/wadi-secrets', '.data.redis-url'), 'base64').toString()
    assert.match(url, /^redis:\/\/:\w+@wadi-queue:6379$/)
    assert.match(await read('service/wadi-queue', '.spec.clusterIP'), /^\d+\.\d+\.\d+\.\d+$|:/)
    await upgrade('settings.WADI_LOG_LEVEL=debug')
    assert.equal(Buffer.from(await read('secret/wadi-secrets', '.data.redis-url'), 'base64').toString(), url)
  })

  test('credentials that would no longer be read stop it', async () => {
    const { upgrade, kubectl, namespace } = await openRelease()
    const label = 'argocd.argoproj.io/secret-type=repository'
    await kubectl(['create', 'secret', 'generic', 'deploy', '--namespace', namespace])
    await kubectl(['label', 'secret', 'deploy', label, '--namespace', namespace])
    await assert.rejects(
      upgrade(),
      new RegExp(
        `where Wadi does not read them \\(1, such as deploy\\): move them to ${namespace}-read, or set`,
      ),
    )
    await upgrade(`credentials.namespace=${namespace}`)
  })
})
