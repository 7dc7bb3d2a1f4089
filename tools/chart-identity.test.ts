import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { renderChart } from './chart.ts'
import { podTemplateOf, readObjects } from './kubernetes-objects-fixture.ts'

const podSpec = z.object({
  serviceAccountName: z.string(),
  containers: z.array(
    z.object({
      name: z.string(),
      env: z.array(z.object({ name: z.string(), value: z.string().optional() })).optional(),
      volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
    }),
  ),
  volumes: z.array(
    z.object({
      name: z.string(),
      secret: z.object({ items: z.array(z.object({ key: z.string() })).default([]) }).optional(),
      projected: z
        .object({
          sources: z.array(
            z.object({ serviceAccountToken: z.object({ audience: z.string(), path: z.string() }) }),
          ),
        })
        .optional(),
    }),
  ),
})

/** The variables that name the addresses of services. */
const addresses: Readonly<Record<string, string>> = {
  WADI_HYDRATORS: 'hydrator',
  WADI_REPO_SERVERS: 'repo-server',
  WADI_COMMIT_SERVERS: 'commit-server',
  WADI_APPSET_SERVICES: 'appset-service',
}

const keys = ['service.key', 'plugin.key']

/** Returns the configuration of each pod of a chart, by the name of its service. */
async function podsOf(...set: string[]) {
  const objects = readObjects(await renderChart({ set }), 'wadi')
  return objects.flatMap((object) => {
    const template = podTemplateOf(object)
    if (template === undefined) return []
    const { containers, volumes, serviceAccountName } = podSpec.parse(template.spec)
    const [main, ...plugins] = containers
    const variables = new Map(main?.env?.map(({ name, value = '' }) => [name, value]))
    const tokens = volumes.flatMap(({ projected }) => projected?.sources ?? [])
    const mounted = volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? [])
    return {
      service: serviceAccountName.replace('wadi-', ''),
      variables,
      plugins,
      tokens: tokens.map(({ serviceAccountToken }) => serviceAccountToken),
      tokensAt: main?.volumeMounts.find(({ name }) => name === 'tokens')?.mountPath,
      keys: mounted.filter((key) => keys.includes(key)),
    }
  })
}

const pods = (await podsOf('cmpServer.enabled=true')).filter(({ service }) => service !== 'redis')

test('a pod has a token for each service that it calls and for no other', () => {
  for (const { service, variables, tokens, tokensAt } of pods) {
    const called = Object.entries(addresses).flatMap(([variable, callee]) =>
      variables.has(variable) && callee !== service ? [callee] : [],
    )
    assert.deepEqual(tokens.map(({ path }) => path).toSorted(), called.toSorted(), `the tokens of ${service}`)
    for (const { audience, path } of tokens) assert.equal(audience, `wadi-${path}`)
    assert.equal(tokensAt, tokens.length === 0 ? undefined : '/var/run/secrets/wadi', service)
  }
})

test('every service with a way to the API server knows callers by their accounts', () => {
  const identities = pods.map(({ service, variables }) => [service, variables.get('WADI_SERVICE_IDENTITY')])
  assert.deepEqual(Object.fromEntries(identities), {
    'api-gateway': 'accounts',
    'appset-service': 'accounts',
    'cmp-server': undefined,
    'commit-server': 'accounts',
    hydrator: 'accounts',
    'repo-server': 'accounts',
  })
})

test('a key is only where nothing else proves or signs', async () => {
  const withKeys = (of: typeof pods) =>
    of.flatMap(({ service, keys: mounted }) => mounted.map((key) => `${service} ${key}`)).toSorted()
  assert.deepEqual(withKeys(pods), [
    'appset-service service.key',
    'cmp-server plugin.key',
    'repo-server plugin.key',
  ])
  assert.deepEqual(withKeys(await podsOf()), ['appset-service service.key'])
  const withPlugin = await podsOf(
    'repoServer.plugins[0].name=greeting',
    'repoServer.plugins[0].image=greeting:1',
  )
  assert.deepEqual(withKeys(withPlugin), ['appset-service service.key', 'repo-server plugin.key'])
  const plugins = withPlugin.flatMap((pod) => pod.plugins)
  assert.deepEqual(
    plugins.map(({ name, volumeMounts }) => [name, volumeMounts.some((mount) => mount.name === 'tokens')]),
    [['greeting', false]],
  )
})
