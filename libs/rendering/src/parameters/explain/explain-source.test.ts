import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExplainedParameter, ExplainedSource } from '@wadi/params/explain/explain.ts'
import { explainSource } from './explain-source.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import type { RenderSource, TrialValues } from '../../source/source.ts'
import { supplyChainFiles } from '@wadi/testing/supply-chain-files.ts'
import { explainedMessage } from '@wadi/params/explain/explained-message.ts'

const tools = await testTools()

const shop = 'apps/shop/prod'
const packageOfShop = 'values of package "web" for workload "shop" resource "deploy"'

function trying(path: string, trial: Partial<TrialValues>): RenderSource {
  return { ...testSource(path), trial: { valuesFiles: [], setValues: [], ...trial } }
}

async function explained(
  files: Readonly<Record<string, string>>,
  source: RenderSource,
): Promise<ExplainedParameter[]> {
  await using fixture = new RenderFixture(tools, files)
  return await explainSource(openDirectoryTree(fixture.directory), await fixture.inspect(source))
}

/** `place owner kind value`, with the way back behind `<-`. */
function written({ file, line, owner, kind, value, derivedFrom }: ExplainedSource): string {
  const here = `${file}${line === undefined ? '' : `:${line}`} ${owner} ${kind} ${JSON.stringify(value)}`
  return derivedFrom === undefined
    ? here
    : `${here} <- ${derivedFrom.step} <- ${written(derivedFrom.from)}${overridden(derivedFrom.beats)}`
}

function overridden(beats: readonly ExplainedSource[]): string {
  return beats.length === 0 ? '' : ` (overrides ${beats.map(written).join(', ')})`
}

/** The parameters of a tree, one line each. */
function linesOf(parameters: readonly ExplainedParameter[], tree: string): string[] {
  return parameters
    .filter(({ of }) => of === tree)
    .map(
      ({ path, value, from, beats }) =>
        `${path}=${JSON.stringify(value)}: ${written(from)}${overridden(beats)}`,
    )
}

test("a value of a workload's package leads back to the workload and to everything that it overrides", async () => {
  const parameters = await explained(supplyChainFiles, testSource(shop))
  assert.deepEqual(linesOf(parameters, packageOfShop), [
    '.app.name="shop": platform/web.yaml:41 operator value "shop" <- workload.metadata.name <- apps/shop/prod/workload.yaml:3 developer value "shop" (overrides packages/web/values.yaml:2 tool default "web")',
    '.app.replicas=5: platform/web.yaml:42 operator value 5 <- param replicas <- apps/shop/prod/workload.yaml:6 developer value 5 (overrides platform/web.yaml:7 operator default 2, platform/web.yaml:30 tool default 1) (overrides packages/web/values.yaml:3 tool default 1)',
    '.app.image="registry.corp/shop@sha256:4f1d": platform/web.yaml:43 operator value "registry.corp/shop@sha256:4f1d" <- recorded output <- apps/shop/prod/outputs.yaml:1 developer value "registry.corp/shop@sha256:4f1d" (overrides packages/web/values.yaml:4 tool default "none")',
    '.app.logLevel="info": platform/web.yaml:44 operator value "info" <- param logLevel <- platform/web.yaml:15 operator default "info" (overrides platform/web.yaml:31 tool default "warn") (overrides packages/web/values.yaml:5 tool default "warn")',
    '.app.limits.cpu=2: platform/web.yaml:45 operator value 2 <- param limits.cpu <- apps/shop/prod/workload.yaml:10 developer value 2 (overrides platform/web.yaml:9 operator default 1)',
  ])
})

test('the params of each resource, the values of each chart, variables and constants are trees of their own', async () => {
  const parameters = await explained(supplyChainFiles, testSource(shop))
  const end = 'for workload "shop" resource "deploy"'
  assert.deepEqual(
    [...new Set(parameters.map(({ of }) => of))],
    [
      'params of workload "shop" resource "image"',
      'params of workload "shop" resource "deploy"',
      packageOfShop,
      `values of chart "web" in component "web" ${end}`,
      `variables of package "web" ${end}`,
      `constants of package "web" ${end}`,
    ],
  )
  assert.deepEqual(
    linesOf(parameters, 'params of workload "shop" resource "deploy"').find((line) =>
      line.startsWith('.registry'),
    ),
    '.registry="registry.corp": platform/web.yaml:8 operator value "registry.corp" (overrides apps/shop/prod/workload.yaml:7 developer value "evil.example")',
  )
  assert.deepEqual(
    linesOf(parameters, `values of chart "web" in component "web" ${end}`).find((line) =>
      line.startsWith('.rep'),
    ),
    '.replicas=5: platform/web.yaml:42 operator value 5 <- param replicas <- apps/shop/prod/workload.yaml:6 developer value 5 (overrides platform/web.yaml:7 operator default 2, platform/web.yaml:30 tool default 1) (overrides packages/web/values.yaml:3 tool default 1, packages/web/chart/values.yaml:2 tool default 3)',
  )
  assert.deepEqual(linesOf(parameters, `variables of package "web" ${end}`), [
    '.LEVEL="info": platform/web.yaml:46 operator value "info" <- param logLevel <- platform/web.yaml:15 operator default "info" (overrides platform/web.yaml:31 tool default "warn") (overrides packages/web/zarf-config.yaml:4 developer value "debug", packages/web/zarf.yaml:5 tool default "warn")',
    '.REGION="us": packages/web/zarf-config.yaml:5 developer value "us" (overrides packages/web/zarf.yaml:6 tool default "eu")',
  ])
  assert.deepEqual(linesOf(parameters, `constants of package "web" ${end}`), [
    '.TEAM="web": packages/web/zarf.yaml:8 tool default "web"',
  ])
})

test("a value that is mapped to a chart overrides the chart's values files, and those its own values", async () => {
  const files = {
    'web/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: web}
values: {files: [values.yaml]}
components:
  - name: web
    required: true
    charts:
      - {name: web, namespace: web, localPath: chart, valuesFiles: [one.yaml, two.yaml], values: [{sourcePath: .app, targetPath: .}]}
`,
    'web/values.yaml': 'app: {replicas: 5}\n',
    'web/one.yaml': 'replicas: 4\n',
    'web/two.yaml': '\nreplicas: 3\n',
    'web/chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/chart/values.yaml': '\n\nreplicas: 2\n',
  }
  assert.deepEqual(
    linesOf(await explained(files, testSource('web')), 'values of chart "web" in component "web"'),
    [
      '.replicas=5: web/values.yaml:1 tool default 5 (overrides web/two.yaml:2 tool default 3, web/one.yaml:1 tool default 4, web/chart/values.yaml:3 tool default 2)',
    ],
  )
})

test("a chart's own values that cannot be read are left out, and nothing fails for them", async () => {
  const files = {
    ...supplyChainFiles,
    'packages/web/chart/values.yaml': 'replicas: 3\nreplicas: 4\n',
  }
  const lines = linesOf(
    await explained(files, testSource('packages/web')),
    'values of chart "web" in component "web"',
  )
  assert.deepEqual(lines.slice(0, 2), [
    '.name="web": packages/web/values.yaml:2 tool default "web"',
    '.replicas=1: packages/web/values.yaml:3 tool default 1',
  ])
})

test('workloads of one directory are distinguished, and a rendered source has what explain shows', async () => {
  const second = supplyChainFiles['apps/shop/prod/workload.yaml'].replace('name: shop', 'name: cart')
  const files = { ...supplyChainFiles, 'apps/shop/prod/cart.yaml': second }
  await using fixture = new RenderFixture(tools, files)
  const source = testSource(shop)
  const parameters = await explainSource(openDirectoryTree(fixture.directory), await fixture.inspect(source))
  assert.equal(linesOf(parameters, packageOfShop).length, 5)
  assert.equal(linesOf(parameters, packageOfShop.replace('shop', 'cart')).length, 5)
  const rendered = await fixture.render(source)
  assert.deepEqual(rendered.record.parameters, parameters.map(explainedMessage))
})

test('the options that a Render gives to a chart lead back to the workload', async () => {
  const platform = supplyChainFiles['platform/web.yaml']
  const files = {
    ...supplyChainFiles,
    'platform/web.yaml': `${platform.slice(0, platform.indexOf('      path: packages/web'))}      path: charts/web
      helm: {releaseName: web, valuesObject: {replicas: $(params.replicas)$}}
`,
    'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'charts/web/.argocd-source.yaml': 'helm:\n  releaseName: own\n  valuesObject: {replicas: 3, name: own}\n',
  }
  const parameters = await explained(files, testSource(shop))
  assert.deepEqual(linesOf(parameters, 'values of chart "web" for workload "shop" resource "deploy"'), [
    '.replicas=5: platform/web.yaml:38 operator value 5 <- param replicas <- apps/shop/prod/workload.yaml:6 developer value 5 (overrides platform/web.yaml:7 operator default 2, platform/web.yaml:30 tool default 1) (overrides charts/web/.argocd-source.yaml:3 developer value 3)',
    '.name="own": charts/web/.argocd-source.yaml:3 developer value "own"',
  ])
  assert.deepEqual(linesOf(parameters, 'options of chart "web" for workload "shop" resource "deploy"'), [
    '.releaseName="web": platform/web.yaml:38 operator value "web" (overrides charts/web/.argocd-source.yaml:2 developer value "own")',
  ])
})

test('trial values override those of developers in a package', async () => {
  const source = trying('packages/web', {
    valuesFiles: [{ path: 'trial.yaml', text: 'app: {replicas: 7, logLevel: trace}\n' }],
    setValues: ['app.logLevel=debug'],
  })
  await using fixture = new RenderFixture(tools, supplyChainFiles)
  const inspection = await fixture.inspect(source)
  const parameters = await explainSource(openDirectoryTree(fixture.directory), inspection)
  assert.notEqual(inspection.fingerprint, (await fixture.inspect(testSource('packages/web'))).fingerprint)
  assert.deepEqual(
    linesOf(parameters, 'values of package "web"').filter((line) => /replicas|logLevel/.test(line)),
    [
      '.app.replicas=7: trial.yaml:1 developer value 7 (overrides packages/web/values.yaml:3 tool default 1)',
      '.app.logLevel="debug": --set-values developer value "debug" (overrides trial.yaml:1 developer value "trace", packages/web/values.yaml:5 tool default "warn")',
    ],
  )
})

test("values that are tried out are the workload's params, below what operators decide, and not the package's", async () => {
  await using fixture = new RenderFixture(tools, supplyChainFiles)
  const source = trying(shop, {
    valuesFiles: [{ path: 'trial.yaml', text: 'replicas: 7\nregistry: mine\napp: {name: other}\n' }],
    setValues: ['replicas=9,deploy/logLevel=debug'],
  })
  const inspection = await fixture.inspect(source)
  const parameters = await explainSource(openDirectoryTree(fixture.directory), inspection)
  const lines = linesOf(parameters, packageOfShop)
  assert.deepEqual(
    lines.filter((line) => /name|replicas|logLevel/.test(line)).map((line) => line.split(' (overrides ')[0]),
    [
      '.app.name="shop": platform/web.yaml:41 operator value "shop" <- workload.metadata.name <- apps/shop/prod/workload.yaml:3 developer value "shop"',
      '.app.replicas=9: platform/web.yaml:42 operator value 9 <- param replicas <- --set-values developer value 9',
      '.app.logLevel="debug": platform/web.yaml:44 operator value "debug" <- param logLevel <- --set-values developer value "debug"',
    ],
  )
  assert.deepEqual(inspection.warnings, [
    'workload param "registry" ignored: supply chain "web" fixes it (platform/web.yaml:8)',
    'workload param "app" ignored: supply chain "web" does not list it (trial.yaml:3)',
  ])
  const [deployment = ''] = (await fixture.render(source)).manifests.slice(-1)
  assert.match(deployment, /"replicas":9/)
  const plain = await fixture.inspect(testSource(shop))
  assert.notEqual(plain.fingerprint, inspection.fingerprint)
})
