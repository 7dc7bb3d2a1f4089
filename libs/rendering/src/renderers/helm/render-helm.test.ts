import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { DeadlineExceededError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { RenderFixture, testRevision, testSource, testTools } from '../../run/render-fixture.ts'
import type { HelmOptions } from './helm-option-schema.ts'

const tools = await testTools()

const chart = {
  'apps/web/Chart.yaml': 'apiVersion: v2\nname: webchart\nversion: 1.0.0\n',
  'apps/web/values.yaml': 'color: red\nlist: [a]\nflag: "no"\nfile: ""\n',
  'apps/web/values-prod.yaml': 'color: blue\n',
  'shared/team.yaml': 'team: core\n',
  'shared/motd.txt': 'hello, "world"\n',
  'apps/web/crds/crd.yaml':
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.c}\n',
  'apps/web/templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-config}
data:
  namespace: {{ .Release.Namespace | quote }}
  kube: {{ .Capabilities.KubeVersion.Version | quote }}
  has: {{ .Capabilities.APIVersions.Has "example.com/v1" | quote }}
  values: {{ .Values | toJson | quote }}
`,
  'apps/web/templates/tests/test.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: probe
  annotations: {"helm.sh/hook": test}
`,
}

const cases: ReadonlyArray<readonly [name: string, options: HelmOptions, args: readonly string[]]> = [
  ['no option', {}, ['--include-crds']],
  ['releaseName', { releaseName: 'blue' }, ['--name-template', 'blue', '--include-crds']],
  ['namespace', { namespace: 'ops' }, ['--namespace', 'ops', '--include-crds']],
  ['kubeVersion', { kubeVersion: '1.30.2' }, ['--kube-version', '1.30.2', '--include-crds']],
  [
    'apiVersions',
    { apiVersions: ['example.com/v1', 'b/v1'] },
    ['--api-versions', 'example.com/v1,b/v1', '--include-crds'],
  ],
  ['skipCrds', { skipCrds: true }, []],
  ['skipTests', { skipTests: true }, ['--include-crds', '--skip-tests']],
  ['version', { version: 'v3' }, ['--include-crds']],
  ['passCredentials', { passCredentials: true }, ['--include-crds']],
  [
    'valueFiles in order',
    { valueFiles: ['values-prod.yaml', '/shared/team.yaml'] },
    ['--values', 'apps/web/values-prod.yaml', '--values', 'shared/team.yaml', '--include-crds'],
  ],
  [
    'a glob of value files',
    { valueFiles: ['values-*.yaml'] },
    ['--values', 'apps/web/values-prod.yaml', '--include-crds'],
  ],
  [
    'ignoreMissingValueFiles',
    { valueFiles: ['nope.yaml', '/nowhere/nope.yaml', 'values-prod.yaml'], ignoreMissingValueFiles: true },
    ['--values', 'apps/web/values-prod.yaml', '--include-crds'],
  ],
  ['values', { values: 'color: green\n' }, ['--set', 'color=green', '--include-crds']],
  [
    'valuesObject in place of values',
    { values: 'color: green', valuesObject: { list: ['x', 'y'], big: 9007199254740993n } },
    ['--set-json', 'list=["x","y"]', '--set-json', 'big=9007199254740993', '--include-crds'],
  ],
  [
    'parameters',
    {
      parameters: [
        { name: 'color', value: 'one' },
        { name: 'list', value: '{p,q}' },
        { name: 'flag', value: 'true', forceString: true },
        { name: 'note', value: 'a,b' },
        { name: 'color', value: '$ARGOCD_APP_REVISION_SHORT' },
      ],
    },
    [
      '--set',
      'list={p,q}',
      '--set-string',
      'flag=true',
      '--set',
      'note=a\\,b',
      '--set',
      `color=${testRevision.slice(0, 7)}`,
      '--include-crds',
    ],
  ],
  [
    'fileParameters',
    { fileParameters: [{ name: 'file', path: '/shared/motd.txt' }] },
    ['--set-file', 'file=shared/motd.txt', '--include-crds'],
  ],
]

for (const [name, helm, args] of cases) {
  test(`Helm renders ${name} as the bare tool does, and the recorded commands reproduce it`, async () => {
    await using fixture = new RenderFixture(tools, chart)
    const rendered = await fixture.render(testSource('apps/web', { helm }))
    assert.deepEqual(rendered.manifests, await fixture.bare('helm', 'template', 'apps/web', ...args))
    assert.deepEqual(await fixture.replay(rendered.record.commands), rendered.manifests)
    assert.deepEqual(
      rendered.record.tools.map((tool) => [tool.name, tool.version]),
      [['helm', tools.helm.version]],
    )
    assert.deepEqual(
      readdirSync(fixture.sandboxRoot).filter((entry) => entry.startsWith('render-')),
      [],
    )
  })
}

test('globs of value files are those of doublestar', async () => {
  await using fixture = new RenderFixture(tools, chart)
  for (const name of ['2', '{1..3}', 'x', 'y']) fixture.write(`shared/env-${name}.yaml`, 'color: blue\n')
  for (const [pattern, files] of [
    ['/shared/env-[!x]*.yaml', ['env-2', 'env-y', 'env-{1..3}']],
    ['/{apps,shared}/**/env-{x,[1-2]}.yaml', ['env-2', 'env-x']],
    [`/shared/${'*'.repeat(20)}-x.yaml`, ['env-x']],
  ] as const) {
    const rendered = await fixture.render(testSource('apps/web', { helm: { valueFiles: [pattern] } }))
    const values = [...rendered.record.commands.join().matchAll(/shared\/(env-[^ ']*)\.yaml/g)].map(
      ([, name]) => name,
    )
    assert.deepEqual([pattern, values], [pattern, files])
  }
  for (const wrong of ['/shared/env-[*.yaml', '/shared/{env-*.yaml']) {
    const failed = fixture.render(testSource('apps/web', { helm: { valueFiles: [wrong] } }))
    await assert.rejects(failed, /pattern "shared\/.*" has a "[[{]" (?:class that is empty|without)/)
  }
})

test('skipSchemaValidation renders values that the schema of the chart refuses', async () => {
  await using fixture = new RenderFixture(tools, chart)
  fixture.write('apps/web/values.schema.json', '{"properties": {"color": {"type": "integer"}}}')
  await assert.rejects(fixture.render(testSource('apps/web')), /values don't meet the specifications/)
  const rendered = await fixture.render(testSource('apps/web', { helm: { skipSchemaValidation: true } }))
  assert.equal(rendered.manifests.length, 3)
})

test('the destination namespace is given to Helm and not written into the manifests', async () => {
  await using fixture = new RenderFixture(tools, chart)
  const rendered = await fixture.render(testSource('apps/web', {}, 'shop'))
  assert.deepEqual(rendered.record.commands, ['helm template apps/web --namespace shop --include-crds'])
  const config = JSON.parse(rendered.manifests.find((manifest) => manifest.includes('ConfigMap')) ?? '')
  assert.equal(config.data.namespace, 'shop')
  assert.deepEqual(config.metadata, { name: 'release-name-config' })
})

test('a file:// dependency that is not vendored is built, the nested one first', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'apps/web/Chart.yaml':
      'apiVersion: v2\nname: webchart\nversion: 1.0.0\ndependencies:\n- {name: lib, version: 0.1.0, repository: "file://../../libs/lib"}\n',
    'libs/lib/Chart.yaml':
      'apiVersion: v2\nname: lib\nversion: 0.1.0\ndependencies:\n- {name: base, version: 0.2.0, repository: "file://../base"}\n',
    'libs/base/Chart.yaml': 'apiVersion: v2\nname: base\nversion: 0.2.0\n',
    'libs/base/templates/base.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base}\n',
  })
  const inspection = await fixture.inspect(testSource('apps/web'))
  assert.deepEqual(inspection.inputs, ['apps/web', 'libs/base', 'libs/lib'])
  const rendered = await fixture.render(testSource('apps/web'))
  assert.deepEqual(rendered.record.commands, [
    'helm dependency build libs/lib --skip-refresh',
    'helm dependency build apps/web --skip-refresh',
    'helm template apps/web --include-crds',
  ])
  assert.ok(rendered.manifests.includes('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"base"}}'))
})

test('charts that share a file:// dependency get the package that a build makes, vendored charts included, packed once', async () => {
  const files: Record<string, string> = {
    'libs/lib/Chart.yaml':
      'apiVersion: v2\nname: lib\nversion: 0.1.0\ndependencies:\n- {name: names, version: 3.0.0, repository: "https://charts.example.com"}\n',
    'libs/lib/.helmignore': 'notes.txt\n',
    'libs/lib/notes.txt': 'ignored',
    'libs/lib/kept.txt': 'kept',
    'libs/lib/charts/names/Chart.yaml': 'apiVersion: v2\nname: names\nversion: 3.0.0\ntype: library\n',
    'libs/lib/charts/names/templates/_names.tpl': '{{ define "name" }}{{ .Values.name }}{{ end }}',
    'libs/lib/templates/lib.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ include "name" . }}}\ndata: {files: {{ .Files.Glob "*.txt" | toJson | quote }}}\n',
  }
  for (const name of ['one', 'two']) {
    files[`apps/${name}/Chart.yaml`] =
      `apiVersion: v2\nname: ${name}\nversion: 1.0.0\ndependencies:\n- {name: lib, version: 0.1.0, repository: "file://../../libs/lib"}\n`
    files[`apps/${name}/values.yaml`] = `lib: {name: ${name}}\n`
  }
  await using fixture = new RenderFixture(tools, files)
  let packed = 0
  const { packagedCharts } = fixture
  const read = packagedCharts.read.bind(packagedCharts)
  packagedCharts.read = (version, directory, pack) =>
    read(version, directory, () => {
      packed += 1
      return pack()
    })
  for (const name of ['one', 'two']) {
    const rendered = await fixture.render(testSource(`apps/${name}`))
    assert.deepEqual(rendered.manifests, [
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"files":"{\\"kept.txt\\":\\"a2VwdA==\\"}"}}`,
    ])
    const [build, template] = rendered.record.commands
    assert.equal(build, `helm dependency build apps/${name} --skip-refresh`)
    const replayed = await fixture.replay([`${build} > replay.log`, template ?? ''])
    assert.deepEqual(replayed, rendered.manifests)
  }
  assert.equal(packed, 1)
})

test('a file:// dependency beside vendored ones is packaged, so that nothing is downloaded', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'apps/web/Chart.yaml':
      'apiVersion: v2\nname: webchart\nversion: 1.0.0\ndependencies:\n- {name: lib, version: 0.1.0, repository: "file://../../libs/lib"}\n- {name: far, version: 2.0.0, repository: "https://charts.example.com"}\n',
    'apps/web/charts/far/Chart.yaml': 'apiVersion: v2\nname: far\nversion: 2.0.0\n',
    'apps/web/charts/far/templates/far.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far}\n',
    'libs/lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 0.1.0\n',
    'libs/lib/templates/lib.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lib}\n',
  })
  const rendered = await fixture.render(testSource('apps/web'))
  assert.equal(rendered.record.commands[0], 'helm package libs/lib --destination apps/web/charts')
  const names = rendered.manifests.map((manifest) => JSON.parse(manifest).metadata.name)
  assert.deepEqual(names, ['a.b.c', 'far', 'lib', 'probe', 'release-name-config'])
})

test('a remote dependency that is not vendored is refused with the remedy', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'apps/web/Chart.yaml':
      'apiVersion: v2\nname: webchart\nversion: 1.0.0\ndependencies:\n- name: far\n  version: 2.0.0\n  repository: https://charts.example.com\n',
  })
  await assert.rejects(fixture.inspect(testSource('apps/web')), (error) => {
    assert.ok(error instanceof InvalidInputError)
    assert.match(error.message, /^apps\/web\/Chart\.yaml:5: chart webchart needs far 2\.0\.0/)
    assert.match(error.message, /helm dependency update apps\/web/)
    return true
  })
})

test('a failing template is reported with its path in the repository and no path of the sandbox', async () => {
  await using fixture = new RenderFixture(tools, chart)
  fixture.write('apps/web/templates/bad.yaml', 'a: {{ required "give me a port" .Values.port }}\n')
  await assert.rejects(fixture.render(testSource('apps/web')), (error) => {
    assert.ok(error instanceof InvalidInputError)
    assert.match(error.message, /apps\/web\/templates\/bad\.yaml:1:\d+.*give me a port/)
    assert.ok(!error.message.includes(fixture.sandboxRoot))
    assert.ok(!error.message.includes('webchart/'))
    return true
  })
  assert.deepEqual(readdirSync(fixture.sandboxRoot), [])
})

test('a release name that would be an option is refused', async () => {
  await using fixture = new RenderFixture(tools, chart)
  const source = testSource('apps/web', { helm: { releaseName: '--post-renderer=x' } })
  await assert.rejects(fixture.render(source), /is not a release name/)
})

test('a chart that renders for too long is stopped and its sandbox removed', async () => {
  await using fixture = new RenderFixture(tools, chart)
  fixture.write(
    'apps/web/templates/slow.yaml',
    '{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}\n',
  )
  await assert.rejects(
    fixture.render(testSource('apps/web'), { timeoutMilliseconds: 300 }),
    DeadlineExceededError,
  )
  assert.deepEqual(readdirSync(fixture.sandboxRoot), [])
})

test('templates see neither the host nor its environment', async () => {
  await using fixture = new RenderFixture(tools, chart)
  fixture.write('apps/web/templates/env.yaml', 'a: {{ env "HOME" }}\n')
  await assert.rejects(fixture.render(testSource('apps/web')), /function "env" not defined/)
  fixture.write(
    'apps/web/templates/env.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: z}\ndata: {lookup: {{ lookup "v1" "Pod" "" "" | toJson | quote }}, file: {{ .Files.Get "../../shared/motd.txt" | quote }}}\n',
  )
  const rendered = await fixture.render(testSource('apps/web'))
  const last = JSON.parse(rendered.manifests.at(-1) ?? '')
  assert.deepEqual(last.data, { lookup: '{}', file: '' })
})
