import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { testSource } from '@wadi/rendering/run/render-fixture.ts'
import { downloading, nestedCharts, partlyVendored, showingChart } from './helm-chart-fixture.ts'
import { pluginParameters } from './helm-options-fixture.ts'
import { testPlugin } from './shipped-plugin-fixture.ts'
import type { SourceOptions } from '@wadi/rendering/source/source.ts'

type Files = Readonly<Record<string, string>>
const schema = {
  ...showingChart,
  'apps/web/values.schema.json': '{"properties": {"color": {"type": "integer"}}}',
}

const renders: ReadonlyArray<
  readonly [name: string, options: NonNullable<SourceOptions['helm']>, files?: Files]
> = [
  ['no option', {}],
  ['values files in order', { valueFiles: ['values-b.yaml', '/shared/team.yaml', 'values-a.yaml'] }],
  ['values files from the directory above', { valueFiles: ['../../shared/team.yaml', './values-a.yaml'] }],
  ['a glob', { valueFiles: ['values-*.yaml'] }],
  ['a glob beside one of its files', { valueFiles: ['values-?.yaml', 'values-a.yaml', 'values-[^a].yaml'] }],
  [
    'globs across directories',
    { valueFiles: ['/**/{team,.values-*}.yaml', '**/.v*.yaml', 'values-{a,prod}.*'] },
  ],
  ['a values file with an odd name', { valueFiles: ['odd, "name".yaml'] }],
  [
    'missing values files that may be missing',
    { valueFiles: ['none.yaml', '/none/*.yaml', 'values-a.yaml'], ignoreMissingValueFiles: true },
  ],
  [
    'a values file by a variable',
    {
      valueFiles: ['/${ARGOCD_APP_SOURCE_PATH}/values-$$a.yaml', 'values-a.yaml'],
      ignoreMissingValueFiles: true,
    },
  ],
  ['values', { valueFiles: ['values-a.yaml'], values: 'color: green\nlist: [1, 2]\n' }],
  ['blank values', { values: ' \n' }],
  ['valuesObject', { values: 'a: b', valuesObject: { list: ['x', null], big: 9007199254740993n } }],
  [
    'parameters',
    {
      values: 'color: green',
      parameters: [
        { name: 'color', value: '$ARGOCD_APP_REVISION_SHORT$NOT_SET' },
        { name: 'list', value: '{p,q}' },
        { name: 'list[1]', value: 'r' },
        { name: 'note', value: 'a,b\\,c="d"' },
        { name: 'other.example\\.com/team', value: 'null' },
        { name: 'lines', value: 'one\ntwo\n' },
        { name: 'flag', value: 'true', forceString: true },
        { name: 'zip', value: '0123', forceString: true },
      ],
    },
  ],
  [
    'file parameters',
    {
      fileParameters: [
        { name: 'file', path: '/shared/motd.txt' },
        { name: 'own', path: 'values-a.yaml' },
      ],
    },
  ],
  ['a release name', { releaseName: 'blue' }],
  ['a namespace', { namespace: 'ops' }],
  ['Helm versions', { version: 'v3', passCredentials: true }],
  ['a Kubernetes version', { kubeVersion: '1.30.2' }],
  ['API versions', { apiVersions: ['example.com/v1', 'b/v1'] }],
  ['no CRDs', { skipCrds: true }],
  ['no tests', { skipTests: true }],
  ['no schema validation', { skipSchemaValidation: true }, schema],
  ['charts of the same repository', { values: 'lib: {base: {a: b}}' }, nestedCharts],
  ['a chart of the same repository beside a vendored one', {}, partlyVendored],
]

for (const [name, helm, files = showingChart] of renders) {
  testPlugin('helm', `the Helm plugin renders ${name} as the native renderer does`, async (shipped) => {
    await using repository = shipped.repository(files)
    const native = await repository.render(testSource('apps/web', { helm }))
    assert.ok(native.manifests.length >= 3)
    assert.deepEqual(await shipped.render(repository, 'apps/web', pluginParameters(helm)), native.manifests)
  })
}

const failing = (template: string): Files => ({ ...showingChart, 'apps/web/templates/bad.yaml': template })
const needs = (dependency: string): Files => ({
  ...showingChart,
  'apps/web/Chart.yaml': `apiVersion: v2\nname: webchart\nversion: 1.0.0\ndependencies:\n- ${dependency}\n`,
})

/** The line is what both have to say. */
const failures: ReadonlyArray<
  readonly [name: string, line: string, options: NonNullable<SourceOptions['helm']>, files?: Files]
> = [
  [
    'a template that fails',
    'execution error at (apps/web/templates/bad.yaml:1:6): no way',
    {},
    failing('x: {{ fail "no way" }}\n'),
  ],
  [
    'a required value',
    'execution error at (apps/web/templates/bad.yaml:1:6): set host',
    {},
    failing('x: {{ required "set host" .Values.host }}\n'),
  ],
  [
    'a template that does not parse',
    'parse error at (apps/web/templates/bad.yaml:2): unclosed action started at apps/web/templates/bad.yaml:1',
    {},
    failing('x: {{ .Values\n'),
  ],
  [
    'values against the schema',
    "values don't meet the specifications of the schema(s) in the following chart(s):\nwebchart:",
    {},
    schema,
  ],
  ['values that are no YAML', 'line 1: did not find expected node content', { values: 'a: [\n' }],
  [
    'a values file that is no YAML',
    'failed to parse shared/motd.txt: ',
    { valueFiles: ['/shared/motd.txt'] },
  ],
  ['a Kubernetes version that is none', "invalid kube version 'x'", { kubeVersion: 'x' }],
  ['a missing values file', 'value file "apps/web/none.yaml" does not exist', { valueFiles: ['none.yaml'] }],
  ['a directory as a values file', 'value file "apps/web/crds" is a directory', { valueFiles: ['crds'] }],
  [
    'a values file outside',
    'value file "../../../etc/passwd" leads outside the repository',
    { valueFiles: ['../../../etc/passwd'] },
  ],
  [
    'a values file outside of the root',
    'value file "/../x.yaml" leads outside the repository',
    { valueFiles: ['/../x.yaml'] },
  ],
  [
    'a values file by URL',
    'value file "https://example.com/values.yaml" is a URL',
    { valueFiles: ['https://example.com/values.yaml'] },
  ],
  [
    'a missing file parameter',
    'file parameter "shared/none.txt" does not exist',
    { fileParameters: [{ name: 'file', path: '/shared/none.txt' }] },
  ],
  ['a release name that is none', '"Blue!" is not a release name', { releaseName: 'Blue!' }],
  [
    'a dependency to download',
    'apps/web/Chart.yaml:6: chart webchart needs far 2.0.0 from "https://charts.example.com", which is not under charts/',
    {},
    downloading,
  ],
  [
    'a missing dependency',
    'apps/web/Chart.yaml:5: chart webchart needs lib from "apps/lib", which does not exist',
    {},
    needs('{name: lib, version: 1.0.0, repository: "file://../lib"}'),
  ],
  [
    'a dependency outside',
    'apps/web/Chart.yaml:5: dependency lib "../../../lib" leads outside the repository',
    {},
    needs('{name: lib, version: 1.0.0, repository: "file://../../../lib"}'),
  ],
  [
    'a dependency of another version',
    'can\'t get a valid version for 1 subchart(s): "lib"',
    {},
    { ...nestedCharts, 'libs/lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 9.0.0\n' },
  ],
]

for (const [name, line, helm, files = showingChart] of failures) {
  testPlugin('helm', `the Helm plugin says of ${name} what the native renderer says`, async (shipped) => {
    await using repository = shipped.repository(files)
    const says = (error: unknown) => {
      assert.ok(error instanceof Error && error.name === 'InvalidInputError', String(error))
      assert.ok(error.message.includes(line), error.message)
      return true
    }
    await assert.rejects(repository.render(testSource('apps/web', { helm })), says)
    await assert.rejects(shipped.render(repository, 'apps/web', pluginParameters(helm)), says)
  })
}

testPlugin('helm', 'the Helm plugin names a glob that finds nothing', async (shipped) => {
  await using repository = shipped.repository(showingChart)
  const helm = { valueFiles: ['none-*.yaml'] }
  await assert.rejects(repository.render(testSource('apps/web', { helm })), {
    name: 'NotFoundError',
    message: /value files glob "apps\/web\/none-\*\.yaml" matched no files/,
  })
  await assert.rejects(
    shipped.render(repository, 'apps/web', pluginParameters(helm)),
    /value files glob "none-\*\.yaml" matched no files/,
  )
})

testPlugin('helm', 'a chart behind a link reads files from where the link is', async (shipped) => {
  await using repository = shipped.repository({ ...showingChart, 'links/near.yaml': 'near: true\n' })
  symlinkSync('../apps/web', join(repository.directory, 'links/web'))
  const helm = { valueFiles: ['../near.yaml', 'values-a.yaml'] }
  const native = await repository.render(testSource('links/web', { helm }))
  assert.deepEqual(await shipped.render(repository, 'links/web', pluginParameters(helm)), native.manifests)
})

testPlugin('helm', 'a chart at the root of the repository is rendered', async (shipped) => {
  const files = Object.entries(showingChart).filter(([path]) => path.startsWith('apps/web/'))
  await using repository = shipped.repository(
    Object.fromEntries(files.map(([path, text]) => [path.slice('apps/web/'.length), text])),
  )
  const helm = { valueFiles: ['/values-a.yaml', 'values-prod.yaml'] }
  const native = await repository.render(testSource('', { helm }))
  assert.deepEqual(await shipped.render(repository, '', pluginParameters(helm)), native.manifests)
})
