import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { z } from 'zod'
import { lintChart, renderChart } from './chart.ts'
import { dryRun } from './chart-dry-run-fixture.ts'
import { openNamespaces } from './cluster-namespaces-fixture.ts'
import { type KubernetesObject, readObjects } from './kubernetes-objects-fixture.ts'

const named = z.array(z.looseObject({ name: z.string() })).default([])
const workload = z.object({
  replicas: z.number(),
  strategy: z.object({ rollingUpdate: z.object({ maxSurge: z.number() }).optional() }).default({}),
  template: z.object({
    metadata: z.object({ annotations: z.record(z.string(), z.string()).default({}), labels: z.unknown() }),
    spec: z.looseObject({
      nodeSelector: z.record(z.string(), z.string()).optional(),
      tolerations: z.array(z.object({ key: z.string() })).optional(),
      priorityClassName: z.string().optional(),
      securityContext: z.looseObject({ runAsUser: z.number().optional(), fsGroup: z.number().optional() }),
      volumes: named,
      containers: z.tuple(
        [
          z.looseObject({
            env: named,
            volumeMounts: named,
            resources: z.object({ requests: z.object({ cpu: z.string() }) }),
          }),
        ],
        z.unknown(),
      ),
    }),
  }),
})

/** The workloads of the chart with some values, by the name of their service. */
async function workloads(...set: string[]) {
  const objects = readObjects(await renderChart({ set: ['cmpServer.enabled=true', ...set] }), 'wadi')
  const isWorkload = ({ kind }: KubernetesObject) => kind === 'Deployment' || kind === 'StatefulSet'
  return new Map(
    objects.filter(isWorkload).map(({ metadata, spec }) => {
      const { replicas, strategy, template } = workload.parse(spec)
      const [container] = template.spec.containers
      const pod = { ...container, ...template.metadata, ...template.spec }
      return [
        metadata.name.replace('wadi-', ''),
        { replicas, surge: strategy.rollingUpdate?.maxSurge ?? 0, ...pod },
      ]
    }),
  )
}

const services = ['api-gateway', 'appset-service', 'cmp-server', 'hydrator', 'commit-server', 'repo-server']

test('what is said of pods holds for each of them, unless a service says something else', async () => {
  const pods = await workloads(
    'nodeSelector.disk=fast',
    'tolerations[0].key=dedicated',
    'priorityClassName=high',
    'podAnnotations.a=x',
    'podAnnotations.b=y',
    'repoServer.nodeSelector.disk=huge',
    'repoServer.podAnnotations.b=z',
  )
  assert.equal(pods.size, services.length + 1)
  for (const [name, pod] of pods) {
    const isOwn = name === 'repo-server'
    assert.deepEqual(pod.nodeSelector, { disk: isOwn ? 'huge' : 'fast' }, name)
    assert.deepEqual(pod.tolerations, [{ key: 'dedicated' }], name)
    assert.equal(pod.priorityClassName, 'high', name)
    assert.deepEqual(pod.annotations, { a: 'x', b: isOwn ? 'z' : 'y' }, name)
  }
})

test('variables and volumes are added to services, those of all and their own', async () => {
  const pods = await workloads(
    'extraEnv[0].name=HTTPS_PROXY',
    'extraEnv[0].value=http://proxy:3128',
    'hydrator.extraEnv[0].name=OWN',
    'extraVolumes[0].name=ca',
    'extraVolumes[0].configMap.name=authorities',
    'extraVolumeMounts[0].name=ca',
    'extraVolumeMounts[0].mountPath=/authorities',
  )
  for (const name of [...services, 'redis']) {
    const added = name === 'redis' ? [] : ['ca']
    const pod = pods.get(name)
    const isAdded = ({ name: given }: { name: string }) => ['ca', 'HTTPS_PROXY', 'OWN'].includes(given)
    const names = (list: readonly { name: string }[] = []) => list.filter(isAdded).map((one) => one.name)
    assert.deepEqual(names(pod?.volumes), added, name)
    assert.deepEqual(names(pod?.volumeMounts), added, name)
    const variables = name === 'hydrator' ? ['HTTPS_PROXY', 'OWN'] : ['HTTPS_PROXY']
    assert.deepEqual(names(pod?.env), name === 'redis' ? [] : variables, name)
  }
})

test('the uid may be another, or left to the cluster as OpenShift wants it', async () => {
  const uidsWith = async (value: string) => {
    const pods = await workloads(`runAsUser=${value}`)
    return new Set(
      [...pods.values()].map(({ securityContext: { runAsUser, fsGroup } }) => `${runAsUser} ${fsGroup}`),
    )
  }
  assert.deepEqual(await uidsWith('20002'), new Set(['20002 20002']))
  assert.deepEqual(await uidsWith('null'), new Set(['undefined undefined']))
})

test('two pods of each service, and one more of each Deployment during a rollout, fit on two cores', async () => {
  const sizes = ['apiGateway', 'hydrator', 'repoServer', 'commitServer', 'appsetService']
  const pods = await workloads('cmpServer.enabled=false', ...sizes.map((name) => `${name}.replicas=2`))
  let cores = 0
  for (const { replicas, surge, resources } of pods.values()) {
    const cpu = resources.requests.cpu
    const each = cpu.endsWith('m') ? Number.parseInt(cpu, 10) / 1_000 : Number(cpu)
    cores += each * (replicas + surge)
  }
  // Some of two cores is for the node itself and what every cluster runs.
  assert.ok(cores < 1.7, `${cores} cores are requested`)
})

/** Values that do not exclude each other. */
const choices: readonly (readonly string[])[] = [
  ['cmpServer.enabled=true'],
  ['redis.enabled=false', 'redis.address=redis.example.com:6379'],
  ['repositoriesThroughApi=false'],
  ['applicationNamespaces[0]=team-*'],
  ['installation=blue', 'applicationNamespaces[0]=default'],
  ['network.policies=false'],
  ['network.metricsNamespace='],
  ['autoscaling.enabled=true'],
  ['monitoring.enabled=true'],
  ['repoServer.storage=', 'commitServer.storageClass=fast', 'redis.storage=1Gi'],
  ['repoServer.plugins[0].name=greeting', 'repoServer.plugins[0].image=registry.example.com/greeting:1'],
  ['apiGateway.ingress.host=wadi.example.com'],
  ['apiGateway.httpRoute.parentRefs[0].name=edge', 'apiGateway.httpRoute.parentRefs[0].namespace=gateways'],
  ['runAsUser=null'],
  ['nodeSelector.disk=fast', 'tolerations[0].key=dedicated', 'tolerations[0].operator=Exists'],
  ['podAnnotations.a=x', 'podLabels.team=web', 'imagePullSecrets[0]=registry'],
  ['priorityClassName=system-cluster-critical', 'redis.priorityClassName='],
  [
    'extraEnv[0].name=HTTPS_PROXY',
    'extraEnv[0].value=http://proxy:3128',
    'extraVolumes[0].name=ca',
    'extraVolumes[0].configMap.name=authorities',
    'extraVolumeMounts[0].name=ca',
    'extraVolumeMounts[0].mountPath=/authorities',
  ],
]
const combinations = 10

suite('helm and the API server accept any combination of values', { skip: planeMissing() ?? false }, () => {
  for (let seed = 1; seed <= combinations; seed++) {
    const random = seededRandom(seed)
    const set = choices.filter(() => random.chance(0.5)).flat()
    test(`number ${seed}`, async () => {
      const { kubectl, namespace, values } = await openNamespaces()
      const options = { namespace, set: [...set, ...values] }
      await lintChart(options)
      await dryRun(kubectl, namespace, await renderChart(options))
    })
  }
})

test('commit-server alone has the key of hydrated commits, by the settings of Argo CD or its own', async () => {
  const signing = (pods: Awaited<ReturnType<typeof workloads>>) =>
    [...pods].flatMap(([name, { env, volumes, volumeMounts }]) => {
      const found = [env, volumes, volumeMounts].flat().filter((each) => /signing/i.test(each.name))
      return found.length > 0 ? [[name, ...found]] : []
    })
  const fromArgoCd = (name: string, key: string) => {
    return { name, valueFrom: { configMapKeyRef: { name: 'argocd-cmd-params-cm', key, optional: true } } }
  }
  const place = [
    { name: 'signing', secret: { secretName: 'keys', defaultMode: 0o440, optional: true } },
    { name: 'signing', mountPath: '/app/config/gpg/signing', readOnly: true },
  ]
  const key = 'commitserver.signing.key'
  const usual = [
    fromArgoCd('WADI_SIGNING_KEY_PATH', `${key}.path`),
    fromArgoCd('WADI_SIGNING_KEY_PASSPHRASE_FILE', `${key}.passphrase.file`),
  ]
  assert.deepEqual(signing(await workloads('signing.secret=keys')), [['commit-server', ...usual, ...place]])
  const own = 'commitServer.settings.WADI_SIGNING_KEY_PATH'
  assert.deepEqual(signing(await workloads('signing.secret=keys', `${own}=/app/config/gpg/signing/key`)), [
    ['commit-server', { name: 'WADI_SIGNING_KEY_PATH', value: '/app/config/gpg/signing/key' }, ...place],
  ])
  const small = readObjects(await renderChart({ set: ['shape=small'] }), 'wadi')
  const mesh = small.find(({ kind }) => kind === 'StatefulSet')
  assert.equal(JSON.stringify(mesh).split('argocd-commit-server-gpg-signing-key').length, 2)
})
