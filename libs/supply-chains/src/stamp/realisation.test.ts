import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainOf, example, platform, rejection, stampFiles, template, workload } from '../chain-fixture.ts'

test('an output that is nowhere is reported with the place to record it', async () => {
  assert.deepEqual(
    await rejection({ 'platform/web.yaml': platform, 'apps/shop/prod/workload.yaml': workload }),
    [
      "platform/web.yaml:21: unable to retrieve outputs [.status.latestImage] from stamped object [web/shop] of type [Image.kpack.io] for resource [image] in supply chain [web]: failed to evaluate json path '.status.latestImage': jsonpath returned empty list: .status.latestImage; record the value in apps/shop/prod/outputs.yaml as previousOutputs.image.image; needed by resource [deploy] in $(images.image.image)$ (platform/web.yaml:41)",
    ],
  )
})

test('an output that nobody uses is not needed, also when the input is listed', async () => {
  const stamped = await stampFiles({
    ...example,
    'platform/web.yaml': platform.replace('image: $(images.image.image)$, ', ''),
    'apps/shop/prod/outputs.yaml': '',
  })
  assert.equal(stamped.objects.length, 1)
})

test('a map that lacks an output cannot be taken as a whole', async () => {
  const files = chainOf(
    `    - {name: s, templateRef: {kind: ClusterSourceTemplate, name: live}}
    - {name: d, templateRef: {kind: ClusterTemplate, name: out}, sources: [{name: in, resource: s}]}
`,
    template(
      'ClusterSourceTemplate',
      'live',
      `  urlPath: .spec.url
  revisionPath: .status.revision
  template: {apiVersion: v1, kind: Source, metadata: {name: src}, spec: {url: https://x}}
`,
    ) +
      template(
        'ClusterTemplate',
        'out',
        `  template: {apiVersion: v1, kind: Out, metadata: {name: o}, url: $(source.url)$, all: $(sources)$}
`,
      ),
  )
  const [first = '', ...others] = await rejection(files)
  assert.match(
    first,
    /record the value in apps\/a\/outputs\.yaml as previousOutputs\.s\.source\.revision; needed by resource \[d\] in \$\(sources\)\$ \(platform\/templates\.yaml:14\)$/,
  )
  assert.deepEqual(others, [])
})

test('every error of a workload is reported, and none that only follows from another', async () => {
  const files = chainOf(
    `    - {name: s, templateRef: {kind: ClusterSourceTemplate, name: broken}}
    - {name: d, templateRef: {kind: ClusterTemplate, name: out}, sources: [{name: in, resource: s}]}
    - {name: e, templateRef: {kind: ClusterTemplate, name: nope}}
    - {name: f, templateRef: {kind: ClusterTemplate, name: bare}}
    - {name: g, params: [{name: known, value: 1}], templateRef: {kind: ClusterTemplate, name: unknown}}
`,
    template(
      'ClusterSourceTemplate',
      'broken',
      `  urlPath: .a
  revisionPath: .b
  template: {apiVersion: v1, kind: S, metadata: {name: $(params.no)$}, x: $(workload.no)$}
`,
    ) +
      template(
        'ClusterTemplate',
        'out',
        `  template: {apiVersion: v1, kind: Out, metadata: {name: o}, url: $(source.url)$}
`,
      ) +
      template(
        'ClusterTemplate',
        'bare',
        `  template: {metadata: {ownerReferences: []}}
`,
      ) +
      template(
        'ClusterTemplate',
        'unknown',
        `  template: {apiVersion: v1, kind: Out, metadata: {name: o}, x: $(params.knwon)$}
`,
      ),
  )
  const unable = (resource: string, name: string) =>
    `unable to stamp object for resource [${resource}] for template [${name}] in supply chain [sc]: `
  const at = (path: string, tag: string) =>
    `failed to recursively evaluate template: failed to interpolate template at path [${path}]: evaluate tag $(${tag})$: jsonpath returned empty list: ${tag}`
  assert.deepEqual(await rejection(files), [
    `platform/templates.yaml:8: ${unable('s', 'ClusterSourceTemplate/broken')}${at('metadata.name', 'params.no')}; known params: none`,
    `platform/templates.yaml:8: ${unable('s', 'ClusterSourceTemplate/broken')}${at('x', 'workload.no')}`,
    "platform/chain.yaml:9: unable to get template [nope] for resource [e] in supply chain [sc]: there is no ClusterTemplate of that name among the operators' objects",
    ...['apiVersion is required', 'kind is required', 'metadata.name is required'].map(
      (message) => `platform/templates.yaml:20: ${unable('f', 'ClusterTemplate/bare')}${message}`,
    ),
    `platform/templates.yaml:26: ${unable('g', 'ClusterTemplate/unknown')}${at('x', 'params.knwon')}; known params: known`,
  ])
})

test('an unknown parameter that the workload sets is reported as one that the chain does not list', async () => {
  const files = {
    ...example,
    'platform/web.yaml': platform.replace('$(params.logLevel)$', '$(params.color)$'),
    'apps/shop/prod/workload.yaml': workload.replace(
      '{name: replicas, value: 5}',
      '{name: color, value: red}',
    ),
  }
  const [message = ''] = await rejection(files)
  assert.match(
    message,
    /jsonpath returned empty list: params\.color; known params: replicas, logLevel, registry; the workload sets it \(apps\/shop\/prod\/workload\.yaml:5\), which applies only when supply chain \[web\] lists it with a default$/,
  )
})

test('outputs that feed outputs cannot explode', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `r${index}`)
  const twice = '[$(configs.in.config)$, $(configs.in.config)$, $(configs.in.config)$, $(configs.in.config)$]'
  const resources = names.map((name, index) => {
    const inputs = index === 0 ? '' : `, configs: [{name: in, resource: r${index - 1}}]`
    return `    - {name: ${name}, templateRef: {kind: ClusterConfigTemplate, name: ${index === 0 ? 'first' : 'next'}}${inputs}}\n`
  })
  const config = (name: string, data: string) =>
    template(
      'ClusterConfigTemplate',
      name,
      `  configPath: .data\n  template: {apiVersion: v1, kind: X, metadata: {name: x}, data: ${data}}\n`,
    )
  const files = chainOf(resources.join(''), config('first', 'text') + config('next', twice))
  assert.deepEqual(await rejection(files), [
    'apps/a/workload.yaml:1: what is stamped may have 33554432 characters altogether',
  ])
})
