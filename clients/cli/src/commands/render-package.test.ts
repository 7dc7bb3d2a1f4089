import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'
const draft = '"$schema": "http://json-schema.org/draft-07/schema#", '
const head = 'kind: ZarfPackageConfig\nmetadata: {name: web}\n'

/** Warnings and errors without the label of their level. */
function messages(stderr: string): string[] {
  return stderr
    .trimEnd()
    .replaceAll(/^(?:(?:WARN|FATA)\[\d+\] | {2})/gm, '')
    .split('\n')
}

test('components that nobody selected are named with how to have them, and an empty result says why', async () => {
  const manifests = 'manifests: [{name: m, files: [m.yaml]}]'
  await using copy = await startWorkingCopy({
    'web/zarf.yaml': `${head}components:
  - {name: injector, required: true, files: [{source: a.bin, target: /tmp/a}]}
  - {name: seed, ${manifests}}
  - {name: registry, ${manifests}}
  - {name: arm, only: {cluster: {architecture: arm64}}}
  - {name: hardened, only: {flavor: fips}}
`,
    'web/a.bin': 'a',
    'web/m.yaml': configMap,
  })
  const nothing = await copy.wadi(['render', 'web'])
  assert.deepEqual([nothing.stdout, nothing.code], ['', 0])
  const warnings = messages(nothing.stderr)
  for (const expected of [
    'web/zarf.yaml:5:5: component seed is not selected and is left out: to include it, add "seed" to package.deploy.components in web/zarf-config.yaml; "-seed" there excludes it explicitly',
    'web/zarf.yaml:6:5: component registry is not selected and is left out: to include it, add "registry" to package.deploy.components in web/zarf-config.yaml; "-registry" there excludes it explicitly',
    'web/zarf.yaml:7:5: component arm is for arm64 and is left out: to include it, set metadata.architecture',
    'web/zarf.yaml:8:5: component hardened is for flavor fips and is left out: to include it, set package.create.flavor in web/zarf-config.yaml',
    'web/zarf.yaml: nothing to apply: no selected component (injector) has charts, manifests, or files that are templates',
  ]) {
    assert.ok(warnings.includes(expected), `${expected}\n${nothing.stderr}`)
  }
  await copy.write('web/zarf-config.yaml', 'package: {deploy: {components: "registry,-seed"}}\n')
  const registry = await copy.wadi(['render', 'web'])
  assert.match(registry.stdout, /name: a/)
  assert.doesNotMatch(registry.stderr, /seed|registry|nothing to apply/)
})

test('an action that is not run may name a secret of the cluster', async () => {
  const action = 'cmd: "login {{ .State.Registry.PushPassword }}", template: true'
  await using copy = await startWorkingCopy({
    'web/zarf.yaml': `${head}components:
  - name: web
    required: true
    actions: {onDeploy: {after: [{${action}}]}}
    manifests: [{name: m, files: [m.yaml]}]
`,
    'web/m.yaml': configMap,
  })
  const { stdout, stderr, code } = await copy.wadi(['render', 'web'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /name: a/)
  await copy.write('web/m.yaml', `${configMap}data: {a: "{{ .State.Registry.PushPassword }}"}\n`)
  await copy.write(
    'web/zarf.yaml',
    `${head}components: [{name: web, required: true, manifests: [{name: m, template: true, files: [m.yaml]}]}]\n`,
  )
  const refused = await copy.wadi(['render', 'web'])
  assert.equal(refused.code, 20)
  assert.match(
    refused.stderr,
    /web\/m\.yaml:4:\d+: \.State\.Registry\.PushPassword is a secret of the cluster/,
  )
})

test('errors of a package are sorted, each once, those of a merged schema with its files', async () => {
  await using copy = await startWorkingCopy({
    'web/zarf.yaml': `${head}values: {files: [v.yaml], schema: s.json}
components:
  - {name: base, required: true, import: {path: ../base}}
  - {name: web, required: true, manifests: [{name: m, template: true, files: [m.yaml]}]}
`,
    'web/v.yaml': 'b: 1\na: 1\n',
    'web/s.json': `{${draft}"properties": {"a": {"type": "string"}}, "required": ["c"]}`,
    'web/m.yaml': `${configMap}data: {a: "{{ .Values.b }}{{ derivePassword 1 1 1 1 1 1 }}"}\n`,
    'base/zarf.yaml': `kind: ZarfPackageConfig\nmetadata: {name: base}\nvalues: {schema: s.json}\ncomponents: [{name: base}]\n`,
    'base/s.json': `{${draft}"properties": {"b": {"type": "string"}}}`,
  })
  const { stderr, code } = await copy.wadi(['render', 'web'])
  assert.equal(code, 20)
  const failed = 'values validation failed: schema validation failed for web/s.json with base/s.json:'
  assert.deepEqual(messages(stderr), [
    'the package in web cannot be rendered',
    'web/m.yaml:4:30: function "derivePassword" needs a master password, and both that and its result would be readable in git: take it out',
    `web/v.yaml:1:1: ${failed}`,
    '(root): c is required',
    `web/v.yaml:1:1: ${failed}`,
    'b: Invalid type. Expected: string, given: integer',
    `web/v.yaml:2:1: ${failed}`,
    'a: Invalid type. Expected: string, given: integer',
  ])
})
