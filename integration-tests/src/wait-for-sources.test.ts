import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { minimalChart, packChart, startChartServer } from '@wadi/charts/chart-server-fixture.ts'
import { pushChart, startRegistry } from '@wadi/charts/registry-fixture.ts'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'

const server = await usedByFile(startChartServer())
const registry = await usedByFile(startRegistry())
const mesh = await meshOfFile()
const archive = await packChart('web', minimalChart('web', '1.0.0'))
server.publish('web', '1.0.0', archive)
await pushChart(registry.host, 'charts/web', '1.0.0', archive)
const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n'
const dry = await mesh.fixture.createRepository('dry', {
  'plain/map.yaml': map,
  'other/map.yaml': map.replace('web', 'other'),
  'values.yaml': 'replicas: 2\n',
  'broken/map.yaml': 'kind: [\n',
})
const hydrated = await mesh.fixture.createRepository('hydrated', { 'README.md': 'Hydrated.\n' })

/** Stores an Application as somebody writes it, without what Wadi would add. */
async function apply(name: string, sources: Record<string, unknown>): Promise<void> {
  await mesh.fixture.gateway.resources.applyResource({
    resource: JSON.parse(
      JSON.stringify({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name, namespace: 'argocd' },
        spec: {
          project: 'default',
          destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
          sourceHydrator: {
            ...sources,
            syncSource: { repoURL: hydrated.url, targetBranch: `environments/${name}`, path: name },
          },
        },
      }),
    ),
  })
}

async function wadi(...command: string[]) {
  const environment = { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: mesh.token }
  return runWadi(['app', ...command, '--timeout', '60'], { environment })
}

const git = (path: string) => ({ repoURL: dry.url, targetRevision: 'main', path })
const chart = (targetRevision: string) => ({ repoURL: server.url, targetRevision, chart: 'web' })
const oci = (targetRevision: string) => ({
  repoURL: `oci://${registry.host}/charts`,
  targetRevision,
  chart: 'web',
})
const kinds: Record<string, () => Record<string, unknown>> = {
  plain: () => ({ drySource: git('plain') }),
  'plain-options': () => ({ drySource: { ...git('./plain/'), directory: { recurse: false } } }),
  'exact-chart': () => ({ drySource: chart('1.0.0') }),
  'ranged-chart': () => ({ drySource: { ...chart('^1.0'), path: '.' } }),
  'exact-oci': () => ({ drySource: oci('1.0.0') }),
  'ranged-oci': () => ({ drySource: oci('1.x') }),
  sources: () => ({ drySources: [git('plain'), git('other')] }),
  'chart-sources': () => ({ drySources: [chart('1.0.0'), git('other')] }),
  'values-of-a-source': () => ({
    drySources: [
      { ...chart('1.x'), helm: { valueFiles: ['$values/values.yaml'] } },
      { repoURL: dry.url, targetRevision: 'main', ref: 'values' },
    ],
  }),
}
for (const [name, sources] of Object.entries(kinds)) {
  test(`a wait ends for an Application with ${name}`, async () => {
    await apply(name, sources())
    const waited = await wadi('wait', name)
    assert.equal(waited.code, 0, waited.stderr)
    const again = await wadi('hydrate', name, '--wait')
    assert.equal(again.code, 0, again.stderr)
  })
}

test('a wait ends with the reason when the hydration fails', async () => {
  await apply('broken', { drySource: git('broken') })
  const { code, stderr } = await wadi('wait', 'broken')
  assert.equal(code, 20)
  assert.match(stderr, /application 'broken' failed to hydrate: .*broken\/map\.yaml/)
})

test('a wait ends at once for an Application that is not hydrated', async () => {
  await mesh.fixture.gateway.resources.applyResource({
    resource: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'foreign', namespace: 'argocd' },
      spec: {
        project: 'default',
        destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
        source: git('plain'),
      },
    },
  })
  const { code, stderr } = await wadi('wait', 'foreign')
  assert.equal(code, 20)
  assert.match(stderr, /application argocd\/foreign is not known or has no sourceHydrator/)
})
