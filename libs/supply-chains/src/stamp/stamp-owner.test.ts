import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partAt } from '@wadi/params/values/located.ts'
import { chainOf, example, objectsOf, sourceTemplate, stampFiles, template } from '../chain-fixture.ts'
import { goJsonValue } from './go-json.ts'
import type { Stamped } from './stamping.ts'

test("a workload becomes what the operators' chain makes of it", async () => {
  const stamped = await stampFiles(example)
  assert.deepEqual(objectsOf(stamped), [
    '{"apiVersion":"wadi.dev/v1alpha1","kind":"Render","metadata":{"labels":{"carto.run/cluster-template-name":"web-package","carto.run/resource-name":"deploy","carto.run/supply-chain-name":"web","carto.run/template-kind":"ClusterTemplate","carto.run/template-lifecycle":"mutable","carto.run/workload-name":"shop","carto.run/workload-namespace":"web"},"name":"shop","namespace":"web"},"spec":{"package":{"values":{"app":{"image":"registry.corp/shop@sha256:4f1d","logLevel":"info","name":"shop","replicas":5}}},"path":"packages/web"}}',
  ])
  assert.deepEqual(stamped.warnings, [
    'workload param "registry" ignored: supply chain "web" fixes it (platform/web.yaml:8)',
  ])
  assert.deepEqual([stamped.blueprint.name, stamped.objects[0]?.resource], ['web', 'deploy'])
})

test('each value of a stamped object says where it was decided', async () => {
  const { objects } = await stampFiles(example)
  const reported = (key: string) => {
    const part = objects[0] && partAt(objects[0].located, ['spec', 'package', 'values', 'app', key])
    const why = part?.derivedFrom?.why
    const sources = why === undefined ? [] : [why.winner, ...why.overridden]
    return [
      part?.derivedFrom?.step,
      ...sources.map(({ at, value }) => `${at.file}:${at.line} ${goJsonValue(value)}`),
    ]
  }
  assert.deepEqual(reported('replicas'), [
    'param replicas',
    'apps/shop/prod/workload.yaml:5 5',
    'platform/web.yaml:7 2',
    'platform/web.yaml:32 1',
  ])
  assert.deepEqual(reported('image'), [
    'recorded output',
    'apps/shop/prod/outputs.yaml:1 "registry.corp/shop@sha256:4f1d"',
  ])
  assert.deepEqual(reported('name'), ['workload.metadata.name', 'apps/shop/prod/workload.yaml:3 "shop"'])
})

test('outputs flow from object to object, with shortcuts where there is one input', async () => {
  const files = chainOf(
    `    - {name: s, templateRef: {kind: ClusterSourceTemplate, name: source}}
    - {name: c, templateRef: {kind: ClusterConfigTemplate, name: config}, sources: [{name: in, resource: s}]}
    - {name: d, templateRef: {kind: ClusterTemplate, name: out}, sources: [{name: in, resource: s}], configs: [{name: cfg, resource: c}]}
`,
    sourceTemplate +
      template(
        'ClusterConfigTemplate',
        'config',
        `  configPath: .data
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {url: $(source.url)$, all: $(sources)$}}
`,
      ) +
      template(
        'ClusterTemplate',
        'out',
        `  template: {apiVersion: v1, kind: Out, metadata: {name: o}, config: $(config)$, same: $(configs.cfg.config.url)$, rev: "r-$(sources.in.revision)$"}
`,
      ),
  )
  const { objects } = await stampFiles(files)
  assert.deepEqual(
    objects.map(({ resource }) => resource),
    ['s', 'c', 'd'],
  )
  const out = objects[2]?.located.value
  assert.ok(out instanceof Map)
  const source = '{"name":"in","revision":"src","url":"https://x"}'
  assert.equal(goJsonValue(out.get('config')), `{"all":{"in":${source}},"url":"https://x"}`)
  assert.deepEqual([out.get('same'), out.get('rev')], ['https://x', 'r-src'])
})

test('an option hands an input on, and the label names the template that an option chose', async () => {
  const files = (labels: string) =>
    chainOf(
      `    - {name: s, templateRef: {kind: ClusterSourceTemplate, name: source}}
    - name: tested
      sources: [{name: in, resource: s}]
      templateRef:
        kind: ClusterSourceTemplate
        options:
          - {name: tester, selector: {matchExpressions: [{key: tests, operator: Exists}]}}
          - {passThrough: in, selector: {matchExpressions: [{key: tests, operator: DoesNotExist}]}}
    - {name: d, templateRef: {kind: ClusterTemplate, name: out}, sources: [{name: in, resource: tested}]}
`,
      sourceTemplate +
        sourceTemplate
          .replace('name: source', 'name: tester')
          .replace('name: src', 'name: tested')
          .replace('https://x', 'https://tested') +
        template(
          'ClusterTemplate',
          'out',
          `  template: {apiVersion: v1, kind: Out, metadata: {name: o}, url: $(source.url)$}
`,
        ),
      labels,
    )
  const value = (stamped: Stamped, index: number, ...path: string[]) => {
    const object = stamped.objects[index]
    return object && partAt(object.located, path)?.value
  }
  const passed = await stampFiles(files('{t: web}'))
  assert.deepEqual([passed.objects.length, value(passed, 1, 'url')], [2, 'https://x'])
  const chosen = await stampFiles(files('{t: web, tests: "yes"}'))
  assert.deepEqual([chosen.objects.length, value(chosen, 2, 'url')], [3, 'https://tested'])
  assert.equal(value(chosen, 1, 'metadata', 'labels', 'carto.run/cluster-template-name'), 'tester')
})

test('the namespace is the one of the workload, and a name made by the cluster is reported', async () => {
  const stampWith = (metadata: string) =>
    chainOf(
      '    - {name: r, templateRef: {kind: ClusterTemplate, name: t}}\n',
      template('ClusterTemplate', 't', `  template: {apiVersion: v1, kind: X, metadata: ${metadata}}\n`),
    )
  const stamped = await stampFiles(
    stampWith('{generateName: x-, ownerReferences: [1], labels: {own: label}}'),
  )
  assert.deepEqual(stamped.warnings, [
    'template [ClusterTemplate/t] stamps an object with generateName and without name, which Argo CD cannot prune (platform/templates.yaml:6): give it a metadata.name',
  ])
  const metadata = stamped.objects[0] && partAt(stamped.objects[0].located, ['metadata'])?.value
  assert.ok(metadata instanceof Map)
  assert.deepEqual([metadata.get('namespace'), metadata.has('ownerReferences')], ['ns', false])
  assert.equal((metadata.get('labels') as Map<string, string>).get('own'), 'label')
})

test('a delivery passes its deployment through without looking at a cluster', async () => {
  const files = {
    'platform/delivery.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterDelivery
metadata: {name: d}
spec:
  selector: {t: web}
  resources:
    - {name: s, templateRef: {kind: ClusterSourceTemplate, name: source}}
    - {name: deploy, templateRef: {kind: ClusterDeploymentTemplate, name: app}, deployment: {resource: s}}
    - {name: after, templateRef: {kind: ClusterTemplate, name: out}, sources: [{name: in, resource: deploy}]}
${sourceTemplate}${template(
      'ClusterDeploymentTemplate',
      'app',
      `  observedCompletion: {succeeded: {key: .status.x, value: "True"}}
  template: {apiVersion: v1, kind: App, metadata: {name: $(deliverable.metadata.name)$}, url: $(deployment.url)$}
`,
    )}${template(
      'ClusterTemplate',
      'out',
      `  template: {apiVersion: v1, kind: Out, metadata: {name: o}, url: $(source.url)$}
`,
    )}`,
    'apps/d.yaml':
      '{apiVersion: carto.run/v1alpha1, kind: Deliverable, metadata: {name: dl, namespace: ns, labels: {t: web}}}\n',
  }
  const { objects } = await stampFiles(files)
  const at = (index: number, ...path: string[]) =>
    objects[index] && partAt(objects[index].located, path)?.value
  assert.deepEqual([at(1, 'url'), at(1, 'metadata', 'name'), at(2, 'url')], ['https://x', 'dl', 'https://x'])
  assert.equal(at(1, 'metadata', 'labels', 'carto.run/delivery-name'), 'd')
  assert.equal(at(1, 'metadata', 'labels', 'carto.run/deliverable-name'), 'dl')
})

test('a param that the selector of an option looks at is not called ignored', async () => {
  const option = (name: string, size: string) =>
    `{name: ${name}, selector: {matchFields: [{key: 'spec.params[?(@.name=="size")].value', operator: In, values: [${size}]}]}}`
  const files = chainOf(
    `    - {name: s, templateRef: {kind: ClusterTemplate, options: [${option('one', 'small')}, ${option('two', 'large')}]}}\n`,
    template(
      'ClusterTemplate',
      'one',
      '  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}\n',
    ) +
      template(
        'ClusterTemplate',
        'two',
        '  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}\n',
      ),
  )
  files['apps/a/workload.yaml'] =
    '{apiVersion: carto.run/v1alpha1, kind: Workload, metadata: {name: w, namespace: ns, labels: {t: web}}, spec: {params: [{name: size, value: large}, {name: other, value: 1}]}}\n'
  const stamped = await stampFiles(files)
  assert.match(objectsOf(stamped).join(), /"name":"two"/)
  assert.deepEqual(stamped.warnings, [
    'workload param "other" ignored: supply chain "sc" does not list it (apps/a/workload.yaml:1)',
  ])
})
