import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../../run/render-fixture.ts'
import type { KustomizeOptions } from './kustomize-option-schema.ts'

const tools = await testTools()

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1"}, {name: side, image: "busybox:1"}]}
`

const overlay = {
  'base/kustomization.yaml': 'resources: [deployment.yaml]\n',
  'base/deployment.yaml': deployment,
  'extra/kustomization.yaml':
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [config.yaml]\n',
  'extra/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\n',
  'prod/kustomization.yaml':
    'resources:\n- ../base # the base\nimages:\n- {name: busybox, newTag: "2"}\nconfigMapGenerator:\n- name: settings\n  files: [a.txt, renamed=b.txt]\n  envs: [c.env]\n',
  'prod/a.txt': 'a\n',
  'prod/b.txt': 'b\n',
  'prod/c.env': 'c=1\n',
}

/** Each option beside what a person would add to the kustomization by hand. */
const cases: ReadonlyArray<readonly [name: string, options: KustomizeOptions, byHand: string]> = [
  ['no option', {}, ''],
  ['namePrefix', { namePrefix: 'on-' }, 'namePrefix: "on-"\n'],
  ['nameSuffix', { nameSuffix: '-1' }, 'nameSuffix: "-1"\n'],
  ['namespace', { namespace: 'ops' }, 'namespace: ops\n'],
  ['replicas', { replicas: [{ name: 'web', count: 3 }] }, 'replicas: [{name: web, count: 3}]\n'],
  ['commonLabels', { commonLabels: { tier: 'yes' } }, 'commonLabels: {tier: "yes"}\n'],
  [
    'labelWithoutSelector',
    { commonLabels: { tier: 'web' }, labelWithoutSelector: true },
    'labels: [{pairs: {tier: web}}]\n',
  ],
  [
    'labelIncludeTemplates',
    { commonLabels: { tier: 'web' }, labelWithoutSelector: true, labelIncludeTemplates: true },
    'labels: [{pairs: {tier: web}, includeTemplates: true}]\n',
  ],
  [
    'commonAnnotationsEnvsubst',
    { commonAnnotations: { rev: '${ARGOCD_APP_REVISION}' }, commonAnnotationsEnvsubst: true },
    `commonAnnotations: {rev: "${testRevision}"}\n`,
  ],
  ['commonAnnotations', { commonAnnotations: { rev: '$X' } }, 'commonAnnotations: {rev: "$X"}\n'],
  ['components', { components: ['../extra'] }, 'components: [../extra]\n'],
  [
    'ignoreMissingComponents',
    { components: ['../nope', '../extra'], ignoreMissingComponents: true },
    'components: [../extra]\n',
  ],
  [
    'patches',
    {
      patches: [
        {
          patch: '[{"op": "replace", "path": "/spec/replicas", "value": 5}]',
          target: { kind: 'Deployment', name: 'web' },
        },
      ],
    },
    'patches:\n- patch: \'[{"op": "replace", "path": "/spec/replicas", "value": 5}]\'\n  target: {kind: Deployment, name: web}\n',
  ],
  [
    'patches with options',
    {
      patches: [
        {
          patch: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: other}\n',
          target: { kind: 'Deployment' },
          options: { allowNameChange: true },
        },
      ],
    },
    'patches:\n- patch: "apiVersion: apps/v1\\nkind: Deployment\\nmetadata: {name: other}\\n"\n  target: {kind: Deployment}\n  options: {allowNameChange: true}\n',
  ],
]

for (const [name, kustomize, byHand] of cases) {
  test(`Kustomize renders ${name} like the same thing written by hand`, async () => {
    await using fixture = new RenderFixture(tools, overlay)
    const rendered = await fixture.render(testSource('prod', { kustomize }))
    fixture.write('prod/kustomization.yaml', overlay['prod/kustomization.yaml'] + byHand)
    assert.deepEqual(rendered.manifests, await fixture.bare('kustomize', 'prod'))
    assert.equal(rendered.widened, false)
    assert.equal(rendered.record.commands.at(-1), 'kubectl kustomize prod')
  })
}

test('images are set over those of the kustomization and the others stay', async () => {
  await using fixture = new RenderFixture(tools, overlay)
  const images = ['nginx=registry.example.com/nginx:$ARGOCD_APP_REVISION_SHORT_8']
  const rendered = await fixture.render(testSource('prod', { kustomize: { images } }))
  const text = rendered.manifests.join('\n')
  assert.ok(text.includes(`"registry.example.com/nginx:${testRevision.slice(0, 8)}"`))
  assert.ok(text.includes('"busybox:2"'))
  assert.deepEqual(rendered.record.commands, [
    `(cd ./prod && kustomize edit set image nginx=registry.example.com/nginx:${testRevision.slice(0, 8)})`,
    'kubectl kustomize prod',
  ])
})

test('patches and transformers on one line are not names of files, and labels of a transformer are no paths', async () => {
  await using fixture = new RenderFixture(tools, overlay)
  const patch = '{apiVersion: v1, kind: ConfigMap, metadata: {name: extra}, data: {a: b}}'
  const prefix =
    '{"apiVersion": "builtin", "kind": "PrefixSuffixTransformer", "metadata": {"name": "p"}, "prefix": "x-", "fieldSpecs": [{"path": "metadata/name"}]}'
  fixture.write('prod/config.yaml', overlay['extra/config.yaml'])
  fixture.write(
    'prod/labels.yaml',
    'apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabels: {path: shop}\nfieldSpecs: [{path: metadata/labels, create: true}]\n',
  )
  fixture.write(
    'prod/kustomization.yaml',
    `resources: [config.yaml]\npatchesStrategicMerge: [${JSON.stringify(patch)}]\ntransformers: ['${prefix}', labels.yaml]\n`,
  )
  assert.deepEqual((await fixture.render(testSource('prod'))).manifests, [
    '{"apiVersion":"v1","data":{"a":"b"},"kind":"ConfigMap","metadata":{"labels":{"path":"shop"},"name":"x-extra"}}',
  ])
})

test('two kustomizations in one directory are an error, as in Kustomize', async () => {
  await using fixture = new RenderFixture(tools, { ...overlay, 'prod/Kustomization': '' })
  await assert.rejects(
    fixture.inspect(testSource('prod')),
    /prod\/kustomization\.yaml and prod\/Kustomization are in one directory; keep one of them/,
  )
})

test('the commands for a patch with options reproduce the result', async () => {
  await using fixture = new RenderFixture(tools, overlay)
  const patches = [
    {
      patch: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: other}\n',
      target: { kind: 'Deployment' },
      options: { allowNameChange: true },
    },
  ]
  const rendered = await fixture.render(testSource('prod', { kustomize: { patches, namePrefix: 'x-' } }))
  assert.deepEqual(await fixture.replay(rendered.record.commands), rendered.manifests)
})

test('a label that exists is refused unless forced', async () => {
  await using fixture = new RenderFixture(tools, overlay)
  fixture.write('prod/kustomization.yaml', 'resources: [../base]\ncommonLabels: {tier: old}\n')
  const kustomize = { commonLabels: { tier: 'new' } }
  await assert.rejects(
    fixture.render(testSource('prod', { kustomize })),
    /commonLabels has "tier" already; .* or set forceCommonLabels/,
  )
  const forced = await fixture.render(
    testSource('prod', { kustomize: { ...kustomize, forceCommonLabels: true } }),
  )
  assert.ok(forced.manifests[0]?.includes('"tier":"new"'))
})

test('the inputs are the files that the build reads and no others', async () => {
  await using fixture = new RenderFixture(tools, { ...overlay, 'prod/unused.yaml': 'a: 1\n' })
  const inspection = await fixture.inspect(testSource('prod'))
  assert.deepEqual(inspection.inputs, [
    'base/deployment.yaml',
    'base/kustomization.yaml',
    'prod/a.txt',
    'prod/b.txt',
    'prod/c.env',
    'prod/kustomization.yaml',
  ])
  assert.deepEqual(
    inspection.reads.map(([path]) => path),
    ['base', 'prod', 'wadi.yaml'],
  )
})

test('a missing base is named with file and line', async () => {
  await using fixture = new RenderFixture(tools, { 'prod/kustomization.yaml': 'resources:\n- ../nope\n' })
  await assert.rejects(fixture.inspect(testSource('prod')), {
    name: 'InvalidInputError',
    message: /^prod\/kustomization\.yaml:2: "nope" does not exist/,
  })
})

for (const [field, remote] of [
  ['resources', 'https://github.com/org/repo//base?ref=v1'],
  ['resources', 'github.com/org/repo//base?ref=v1'],
  ['resources', 'git@github.com:org/repo.git//base'],
  ['resources', 'ssh://git@example.com/org/repo.git'],
  ['resources', 'git::https://example.com/repo.git'],
  ['bases', 'https://example.com/base.yaml'],
  ['components', 'example.com/org/repo.git//x'],
  ['crds', 'http://169.254.169.254/crd.yaml'],
  ['transformers', 'https://example.com/t.yaml'],
] as const) {
  test(`a remote reference in ${field} is refused: ${remote}`, async () => {
    await using fixture = new RenderFixture(tools, { 'kustomization.yaml': `${field}:\n- ${remote}\n` })
    await assert.rejects(
      fixture.inspect(testSource('.')),
      /^InvalidInputError: kustomization\.yaml:2: .*fetched from elsewhere/,
    )
    const allowed = await fixture.inspect(testSource('.'), { ...strictPolicy, allowRemoteBases: true })
    assert.equal(allowed.renderer, 'kustomize')
  })
}

test('a remote file hidden in the configuration of a generator or behind a merge key is refused', async () => {
  await using fixture = new RenderFixture(tools, {
    'a/kustomization.yaml': 'generators: [generator.yaml]\n',
    'a/generator.yaml':
      'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: x}\nfiles: ["x=https://example.com/x"]\n',
    'b/kustomization.yaml': '<<: {resources: ["https://example.com/x.yaml"]}\n',
  })
  await assert.rejects(fixture.inspect(testSource('a')), /fetched from elsewhere/)
  await assert.rejects(fixture.inspect(testSource('b')), /fetched from elsewhere/)
})

test('helmCharts need the operator to allow Helm inside Kustomize', async () => {
  await using fixture = new RenderFixture(tools, {
    'kustomization.yaml': 'helmGlobals: {chartHome: charts}\nhelmCharts:\n- {name: c, releaseName: r}\n',
    'charts/c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'charts/c/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n',
  })
  await assert.rejects(
    fixture.inspect(testSource('')),
    /kustomization\.yaml:\d: helmCharts needs the build option/,
  )
  const policy = { ...strictPolicy, kustomizeBuildOptions: ['--enable-helm'] }
  assert.deepEqual((await fixture.inspect(testSource(''), policy)).inputs, ['charts', 'kustomization.yaml'])
  const dangerous = { ...strictPolicy, kustomizeBuildOptions: ['--enable-helm', '--helm-command=/bin/sh'] }
  await assert.rejects(fixture.render(testSource(''), {}, dangerous), /never passed on/)
})

test('a file that only the tool knows to read widens the inputs to the whole repository', async () => {
  await using fixture = new RenderFixture(tools, {
    'prod/kustomization.yaml': 'generators: [generators]\n',
    'prod/generators/kustomization.yaml': 'resources: [generator.yaml]\n',
    'prod/generators/generator.yaml':
      'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: found}\nfiles: [data.txt]\noptions: {disableNameSuffixHash: true}\n',
    'prod/data.txt': 'hidden',
  })
  const rendered = await fixture.render(testSource('prod'))
  assert.deepEqual(rendered.manifests, [
    '{"apiVersion":"v1","data":{"data.txt":"hidden"},"kind":"ConfigMap","metadata":{"name":"found"}}',
  ])
  assert.equal(rendered.widened, true)
  const before = await fixture.inspect(testSource('prod'))
  assert.notEqual(rendered.fingerprint, before.fingerprint)
  fixture.write('elsewhere.txt', 'x')
  assert.equal((await fixture.inspect(testSource('prod'))).fingerprint, before.fingerprint)
  assert.notEqual((await fixture.render(testSource('prod'))).fingerprint, rendered.fingerprint)
})

test('a kustomization with a duplicate key is refused with its line', async () => {
  await using fixture = new RenderFixture(tools, { 'kustomization.yaml': 'namePrefix: a\nnamePrefix: b\n' })
  await assert.rejects(fixture.inspect(testSource('')), /kustomization\.yaml:2: /)
})

test('a version of Kustomize that is not here is refused', async () => {
  await using fixture = new RenderFixture(tools, overlay)
  await assert.rejects(
    fixture.inspect(testSource('prod', { kustomize: { version: 'v3.0.0' } })),
    /kustomize 3\.0\.0 is not installed/,
  )
})

test('a standalone kustomize is run and recorded as kustomize build', async () => {
  await using fixture = new RenderFixture(tools, overlay)
  const [kubectl = ''] = tools.kustomize.command
  fixture.write('../kustomize', `#!/bin/sh\n[ "$1" = build ] && shift && exec ${kubectl} kustomize "$@"\n`)
  const binary = join(fixture.directory, '../kustomize')
  chmodSync(binary, 0o755)
  const standalone = { ...tools, kustomize: { command: [binary], version: 'v5.7.1', standalone: true } }
  await using other = new RenderFixture(standalone, overlay)
  const rendered = await other.render(testSource('prod'))
  assert.deepEqual(rendered.record.commands, ['kustomize build prod'])
  assert.deepEqual(rendered.manifests, await fixture.bare('kustomize', 'prod'))
})
