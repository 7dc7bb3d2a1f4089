import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, describeSource, editSource, linesOf } from '../../run/parameters-fixture.ts'
import { explainSource } from '../../parameters/explain/explain-source.ts'
import { RenderFixture, reportedParameters, testSource, testTools } from '../../run/render-fixture.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { supplyChainFiles } from '@wadi/testing/supply-chain-files.ts'

const tools = await testTools()

const files = {
  'p/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: p}
variables:
  - {name: PASSWORD, default: changeme, sensitive: true}
  - {name: TOKEN, default: public, sensitive: true}
  - {name: KEY, sensitive: true, type: file}
  - {name: HOST, default: db}
components:
  - name: c
    required: true
    charts:
      - name: web
        namespace: web
        localPath: chart
        valuesFiles: [over.yaml]
        variables: [{name: PASSWORD, path: password, description: why}]
    manifests:
      - {name: m, namespace: web, files: [cm.yaml]}
`,
  'p/zarf-config.yaml':
    'package:\n  deploy:\n    set: {password: hunter2-prod, host: db-prod, key: key.pem}\n',
  'p/key.pem': 'BEGIN\nk3y-of-web\n',
  'p/over.yaml': 'url: "pg://me:###ZARF_VAR_PASSWORD###@###ZARF_VAR_HOST###"\n',
  'p/cm.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k}\ndata: {p: "###ZARF_VAR_PASSWORD###", t: "###ZARF_VAR_TOKEN###"}\n',
  'p/chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'p/chart/values.yaml': 'password: none\nurl: none\n',
  'p/chart/templates/cm.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {password: "{{ .Values.password }}", url: "{{ .Values.url }}"}\n',
}

test('what is set for a sensitive variable is rendered and shown nowhere; a default is shown', async () => {
  await using fixture = new RenderFixture(tools, files)
  const source = testSource('p')
  const rendered = await fixture.render(source)
  const manifests = rendered.manifests.join('\n')
  assert.match(manifests, /"password":"hunter2-prod"/)
  assert.match(manifests, /"url":"pg:\/\/me:hunter2-prod@db-prod"/)
  const explained = await explainSource(openDirectoryTree(fixture.directory), await fixture.inspect(source))
  for (const shown of [reportedParameters(rendered), explained]) {
    const text = JSON.stringify(shown)
    assert.doesNotMatch(text, /hunter2|k3y-of-web/)
    assert.match(text, /db-prod/)
  }
  const values = explained.map(({ path, value, beats }) => [
    path,
    value,
    ...beats.map((beaten) => beaten.value),
  ])
  assert.deepEqual(values, [
    ['.password', '<hidden>', 'none'],
    ['.PASSWORD', '<hidden>', 'changeme'],
    ['.TOKEN', 'public'],
    ['.HOST', 'db-prod', 'db'],
    ['.KEY', '<hidden>'],
  ])
  const { parameters } = await describeSource(fixture, source)
  assert.deepEqual(
    linesOf(parameters).map((line) => line.replace(/ \(file [^)]*\)/g, '')),
    [
      'PASSWORD: string = "<hidden>" default "changeme"',
      'TOKEN: string default "public"',
      'KEY: string = "<hidden>"',
      'HOST: string = "db-prod" default "db"',
    ],
  )
  const { after } = await editSource(fixture, source, changesOf('PASSWORD=other'))
  assert.match(after, /password: "other"/)
})

test('a parameter of a workload that becomes a sensitive variable is not shown either', async () => {
  const packageFile = supplyChainFiles['packages/web/zarf.yaml']
  const workload = supplyChainFiles['apps/shop/prod/workload.yaml']
  await using fixture = new RenderFixture(tools, {
    ...supplyChainFiles,
    'packages/web/zarf.yaml': packageFile.replace('default: warn}', 'default: warn, sensitive: true}'),
    'apps/shop/prod/workload.yaml': `${workload}    - {name: logLevel, value: hunter2-prod}\n`,
  })
  const source = testSource('apps/shop/prod')
  const inspection = await fixture.inspect(source)
  const explained = await explainSource(openDirectoryTree(fixture.directory), inspection)
  const { parameters } = await describeSource(fixture, source)
  assert.doesNotMatch(JSON.stringify([explained, linesOf(parameters)]), /hunter2/)
  const hidden = linesOf(parameters).filter((line) => line.includes('<hidden>'))
  assert.deepEqual(
    hidden.map((line) => line.split(':')[0]),
    ['logLevel'],
  )
})
