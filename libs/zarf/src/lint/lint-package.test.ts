import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFinding } from './finding.ts'
import { lintPackage } from './lint-package.ts'
import { memoryFiles } from '../memory-files-fixture.ts'
import { packageText, templatePackage } from '../package-fixture.ts'

async function lint(content: Record<string, string>): Promise<string[]> {
  return (await lintPackage(memoryFiles(content), 'p')).map(formatFinding)
}

for (const [path, isSound] of [
  ['.', true],
  ['.a', true],
  ['.a.b-c_D9', true],
  ['a', false],
  ['.a.', false],
  ['.a..b', false],
  ['.m[0]', false],
  ['', false],
] as const) {
  test(`the path ${JSON.stringify(path)} ${isSound ? 'is' : 'is not'} one for mappings`, async () => {
    const charts = `    charts: [{name: x, namespace: n, localPath: chart, values: [{sourcePath: "${path}", targetPath: .t}]}]\n`
    const found = await lint({
      'p/zarf.yaml': packageText(charts, 'values: {files: [v.yaml]}\n'),
      'p/v.yaml': 'a: {b-c_D9: {}}\n',
      'p/chart/Chart.yaml': 'name: c\n',
    })
    const pattern = '^(\\.|\\.[a-zA-Z0-9_-]+(\\.[a-zA-Z0-9_-]+)*)$'
    const error = `p/zarf.yaml:7:66: .components.[0].charts.[0].values.[0].sourcePath | Does not match pattern '${pattern}': ${path}`
    assert.deepEqual(found, isSound ? [] : [error])
  })
}

test('every error of a definition is reported with its place, and fields of other tools are allowed', async () => {
  const found = await lint({
    'p/zarf.yaml':
      'kind: ZarfPackageConfig\nmetadata: {name: Bad, x-mine: 1}\nx-own: {a: 1}\ncomponents:\n  - name: c\n    requird: true\n' +
      '    charts: [{name: x, version: 1.0, x-y: 1}]\n    images: none\n',
  })
  assert.deepEqual(found, [
    "p/zarf.yaml:2:12: .metadata.name | Does not match pattern '^[a-z0-9][a-z0-9\\-]*$': Bad",
    'p/zarf.yaml:6:5: .components.[0] | Additional property requird is not allowed',
    'p/zarf.yaml:7:24: .components.[0].charts.[0].version | Invalid type. Expected: string, given: number',
    'p/zarf.yaml:8:5: .components.[0].images | Invalid type. Expected: array, given: string',
  ])
})

test('errors of the package, its values, schema and templates are reported in one run, of all components', async () => {
  const content = templatePackage(
    '{{ .Values.gone }}\n{{ now }} {{ .Values.a-b }}\n{{ .State.Git.PushPassword }}',
    'a: x\na-b: 1\n',
  )
  const charts =
    '  - name: other\n    charts: [{name: UP, namespace: n, localPath: none}]\n    manifests: [{name: n}]\n'
  const found = await lint({
    ...content,
    'p/zarf.yaml': `${content['p/zarf.yaml']?.replace('[v.yaml]}', '[v.yaml], schema: s.json}')}${charts}`,
    'p/s.json': '{"properties": {"a": {"type": "integer"}}}',
  })
  for (const expected of [
    /^p\/zarf\.yaml:\d+:\d+: invalid chart definition: invalid release name 'UP'/,
    /^p\/zarf\.yaml:\d+:\d+: invalid manifest definition: manifest "n" must have at least one file or kustomization/,
    /^p\/zarf\.yaml:\d+:\d+: chart "UP": there is no p\/none/,
    /^p\/m\.yaml:2:4: function "now" reads the clock/,
    /^p\/m\.yaml:2:14: Zarf itself refuses \.Values\.a-b/,
    /^p\/m\.yaml:3:4: \.State\.Git\.PushPassword is a secret/,
  ]) {
    assert.ok(
      found.some((line) => expected.test(line)),
      `${expected.source} in\n${found.join('\n')}`,
    )
  }
})

for (const name of [
  'now',
  'ago',
  'randAlphaNum',
  'uuidv4',
  'genCA',
  'htpasswd',
  'bcrypt',
  'env',
  'getHostByName',
  'htmlDate',
  'shuffle',
]) {
  test(`the function ${name} is refused with its place`, async () => {
    const [found, ...others] = await lint(templatePackage(`a: b\n{{ "x" | ${name} }}`))
    assert.deepEqual(others, [])
    assert.match(
      found ?? '',
      new RegExp(`^p/m\\.yaml:2:10: function "${name}" .*, so the same commit would render differently`),
    )
  })
}

test('a setting in the form of the proposal is noted', async () => {
  const actions = '    actions: {onDeploy: {before: [{cmd: x, setValues: [{path: a.b}, {key: q}]}]}}\n'
  const found = await lint({ 'p/zarf.yaml': packageText(actions) })
  assert.match(found[0] ?? '', /setValues key "q" must begin with a dot: write \.q$/)
  assert.match(found[1] ?? '', /Zarf itself does not know setValues\.path: write key: \.a\.b$/)
})
