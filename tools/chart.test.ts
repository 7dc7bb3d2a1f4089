import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { type ChartOptions, lintChart, renderChart } from './chart.ts'
import { dryRun } from './chart-dry-run-fixture.ts'
import { openNamespaces } from './cluster-namespaces-fixture.ts'
import { podTemplateOf, readObjects } from './kubernetes-objects-fixture.ts'
import { serviceSettings } from './service-settings.ts'
import { variablesOf } from './service-variables-fixture.ts'

/** Together they render every line of the chart. */
const shapes: Readonly<Record<string, ChartOptions>> = {
  services: {},
  'highly available': { valueFiles: ['values-highly-available.yaml'] },
  small: { valueFiles: ['values-small.yaml'] },
  'with everything': {
    set: [
      'cmpServer.enabled=true',
      'repoServer.plugins[0].name=greeting',
      'repoServer.plugins[0].image=registry.example.com/greeting:1',
      'repoServer.storageClass=fast',
      'commitServer.storage=',
      'apiGateway.ingress.host=wadi.example.com',
      'apiGateway.ingress.className=nginx',
      'apiGateway.ingress.annotations.a=b',
      'apiGateway.httpRoute.parentRefs[0].name=edge',
      'apiGateway.httpRoute.hostnames[0]=wadi.example.com',
      'apiGateway.httpRoute.annotations.a=b',
      'imagePullSecrets[0]=registry',
      'applicationNamespaces[0]=default',
      'installation=blue',
      'secrets.existing=',
      'settings.WADI_LOG_LEVEL=debug',
      'autoscaling.enabled=true',
      'monitoring.enabled=true',
      'monitoring.alerts=true',
    ],
  },
  'with patterns of namespaces': { set: ['applicationNamespaces[0]=team-*'] },
}

suite('the API server accepts the chart', { skip: planeMissing() ?? false }, () => {
  for (const [shape, options] of Object.entries(shapes)) {
    test(`${shape}, with pods as restricted as they can be`, async () => {
      const { kubectl, namespace, values } = await openNamespaces()
      const set = [...(options.set ?? []), ...values]
      await lintChart({ ...options, namespace, set })
      await dryRun(kubectl, namespace, await renderChart({ ...options, namespace, set }))
    })
  }

  test("the objects of the chart's test, which Helm makes only in a cluster", async () => {
    const { kubectl, kubeconfig, namespace, values } = await openNamespaces()
    const place = ['--namespace', namespace]
    await kubectl([...place, 'create', 'configmap', 'kube-root-ca.crt'])
    const present = [
      'installHydratedBranches',
      'credentials.createNamespace',
      'writeCredentials.createNamespace',
    ]
    const set = [...values, ...present.map((value) => `${value}=false`)]
    const text = await renderChart({ namespace, set, kubeconfig })
    const [, ...made] = text.split('# Source: wadi/templates/tests/hydration.yaml\n')
    assert.equal(made.length, 9)
    await dryRun(kubectl, namespace, made.join(''))
    assert.doesNotMatch(await renderChart({ namespace }), /wadi-test/)
  })

  test('and would say so of a pod with rights', async () => {
    const { kubectl, namespace, values } = await openNamespaces()
    const text = (await renderChart({ namespace, set: values })).replaceAll(
      'runAsNonRoot: true',
      'runAsNonRoot: false',
    )
    await assert.rejects(dryRun(kubectl, namespace, text), /runAsNonRoot != true/)
  })
})

test('each container knows the variables that it is given', async () => {
  const services = readObjects(await renderChart({ set: ['cmpServer.enabled=true'] }), 'wadi')
  const small = readObjects(await renderChart({ valueFiles: ['values-small.yaml'] }), 'wadi')
  const all = new Set(Object.keys(serviceSettings).flatMap((service) => [...variablesOf(service)]))
  const unknown = [...services, ...small].flatMap((object) =>
    (podTemplateOf(object)?.spec.containers ?? []).flatMap(({ name, env = [] }) => {
      const known = name === 'mesh' ? all : variablesOf(name)
      return env
        .filter((variable) => !known.has(variable.name))
        .map((variable) => `${name}: ${variable.name}`)
    }),
  )
  assert.deepEqual(unknown, [])
})

test('probes ask nothing that depends on another service', async () => {
  const objects = readObjects(await renderChart({ set: ['cmpServer.enabled=true'] }), 'wadi')
  const containers = objects.flatMap((object) => podTemplateOf(object)?.spec.containers ?? [])
  const asked = containers.filter(({ name }) => name !== 'redis')
  assert.equal(asked.length, 6)
  for (const { name, startupProbe, livenessProbe, readinessProbe } of asked) {
    const ready = ['hydrator', 'cmp-server'].includes(name) ? '/healthz' : '/readyz'
    const paths = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet.path)
    assert.deepEqual(paths, ['/healthz', '/healthz', ready], name)
  }
})

test('values that the chart does not know are rejected', async () => {
  for (const [value, reason] of [
    ['shape=tiny', /'\/shape': value must be one of 'services', 'small'/],
    ['hydrator.replica=2', /additional properties 'replica' not allowed/],
    ['apiGateway.replicas=0', /minimum: got 0, want 1/],
    ['settings.LOG_LEVEL=debug', /'LOG_LEVEL' does not match pattern/],
  ] as const) {
    await assert.rejects(renderChart({ set: [value] }), reason)
  }
})

test('values that contradict each other are rejected with what to do', async () => {
  for (const [values, reason] of [
    [
      ['writeCredentials.namespace=wadi'],
      /other services than commit-server may read Secrets: choose another namespace/,
    ],
    [
      ['writeCredentials.namespace=wadi-read'],
      /writeCredentials\.namespace is wadi-read, where other services/,
    ],
    [['shape=small', 'hydrator.replicas=2'], /shape small is one pod: .*hydrator\.replicas/],
    [['shape=small', 'autoscaling.enabled=true'], /shape small is one pod: .*autoscaling\.enabled/],
    [['apiGateway.httpRoute.hostnames[0]=wadi.example.com'], /hostnames is set without parentRefs: name the/],
    [['shape=small', 'monitoring.alerts=true'], /alerts needs the shape services: the small shape has only/],
  ] as const) {
    await assert.rejects(renderChart({ namespace: 'wadi', set: [...values] }), reason)
  }
})
