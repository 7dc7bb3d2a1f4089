import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { packageText, startPackageRepository, templateManifest } from '../values/zarf-package-fixture.ts'

const recorded = join(import.meta.dirname, '../../../../libs/zarf/src/testdata/recorded')

const sound = {
  'p/zarf.yaml': packageText(templateManifest),
  'p/v.yaml': 'replicas: 2\nmy-app: {size: small}\n',
  'p/m.yaml': 'a: {{ .Values.replicas }}\n',
}

const invalid = {
  'p/zarf.yaml': packageText(
    '    manifests: [{name: m, namespace: web, template: true, files: [m.yaml]}]\n' +
      '    charts: [{name: c, namespace: web, localPath: gone}]\n',
    ', schema: s.json',
  ),
  'p/v.yaml': 'my-app: {size: small}\nreplicas: two\n',
  'p/s.json': '{"properties": {"replicas": {"type": "integer"}}}',
  'p/m.yaml': 'size: {{ .Values.my-app.size }}\nwhen: {{ now }}\n',
}

test('a package without errors prints nothing', async () => {
  await using repository = await startPackageRepository(sound)
  const { stdout, stderr, code } = await repository.values('lint', 'p')
  assert.deepEqual([stdout, stderr, code], ['', '', 0])
})

test('all errors are reported in one run by file, line and column, warnings are marked', async () => {
  await using repository = await startPackageRepository(invalid)
  const { stdout, stderr, code } = await repository.values('lint', 'p')
  const lines = stdout.trimEnd().split('\n')
  const expected = [
    /^p\/m\.yaml:1:10: warning: Zarf itself refuses \.Values\.my-app\.size: write index \.Values "my-app" "size"$/,
    /^p\/m\.yaml:2:10: function "now" reads the clock/,
    /^p\/v\.yaml:2:1: values validation failed: schema validation failed for p\/s\.json: .*replicas/,
    /^p\/zarf\.yaml:8:\d+: chart "c": there is no p\/gone$/,
  ]
  assert.equal(lines.length, expected.length, stdout)
  for (const [index, pattern] of expected.entries()) assert.match(lines[index] ?? '', pattern)
  assert.match(stderr, /p has 3 errors/)
  assert.equal(code, 20)
})

test('an error in the settings of the repository is reported for packages and for chains', async () => {
  await using repository = await startPackageRepository({
    ...sound,
    'platform/web.yaml': chains['platform/chains/web.yaml'].replace(', default: 2', ''),
    'wadi.yaml': 'determinism: once\nactions: sometimes\n',
  })
  for (const directory of ['p', 'platform']) {
    const { stdout, code } = await repository.values('lint', directory)
    assert.deepEqual([stdout, code], ['wadi.yaml:2:1: actions must be deny or allow\n', 20])
  }
})

test('programs get the same as a list', async () => {
  await using repository = await startPackageRepository(invalid)
  const { stdout, code } = await repository.values('lint', 'p', '-o', 'json')
  const findings: unknown = JSON.parse(stdout)
  assert.ok(Array.isArray(findings))
  assert.equal(findings.length, 4)
  assert.deepEqual(findings[0], {
    severity: 'warning',
    file: 'p/m.yaml',
    line: 1,
    column: 10,
    message: 'Zarf itself refuses .Values.my-app.size: write index .Values "my-app" "size"',
  })
  assert.equal(code, 20)
})

test('values files and settings are tried, the settings win', async () => {
  await using repository = await startPackageRepository({
    ...invalid,
    'p/zarf.yaml': packageText(templateManifest, ', schema: s.json'),
    'p/m.yaml': 'a: {{ .Values.replicas }}\n',
    'try.yaml': 'replicas: three\n',
  })
  const tried = await repository.values('lint', 'p', '-f', 'try.yaml')
  assert.match(tried.stdout, /^try\.yaml:1:1: values validation failed/)
  assert.equal(tried.code, 20)
  const set = await repository.values('lint', 'p', '-f', 'try.yaml', '--set-values', 'replicas=3')
  assert.deepEqual([set.stdout, set.code], ['', 0])
})

test('a values file that does not exist is one error', async () => {
  await using repository = await startPackageRepository(sound)
  const { stdout, stderr, code } = await repository.values('lint', 'p', '-f', 'gone.yaml')
  assert.deepEqual([stdout, code], ['', 20])
  assert.match(stderr, /--values: there is no file gone\.yaml\n$/)
})

test('what a file says cannot move the cursor', async () => {
  await using repository = await startPackageRepository({
    ...sound,
    'p/zarf.yaml': packageText('    imagez: []\n    "\\e[2Jx": 1\n'),
  })
  const { stdout, code } = await repository.values('lint', 'p')
  assert.match(stdout, /Additional property \\x1b\[2Jx is not allowed/)
  assert.equal(stdout.includes('\u001B'), false)
  assert.equal(code, 20)
})

test('a recorded package that Zarf refuses for a hyphen has a note and no error', async () => {
  const { stdout, code } = await runWadi(['values', 'lint', join(recorded, 'tmpl-m1')])
  assert.match(
    stdout,
    /tmpl-m1\/m\.yaml:1:7: warning: Zarf itself refuses \.Values\.my-component\.memory: .*\n$/,
  )
  assert.equal(code, 0)
})

test('a directory with neither a package nor supply chains is an error that says what is looked for', async () => {
  await using repository = await startPackageRepository({ 'p/v.yaml': '' })
  const { stdout, stderr, code } = await repository.values('lint', 'p')
  assert.equal(stdout, '')
  assert.match(
    stderr,
    /p has no zarf\.yaml, and nothing below it is a supply chain, template or workload; name/,
  )
  assert.equal(code, 20)
  const tried = await repository.values('lint', 'p', '--set-values', 'a=1')
  assert.match(tried.stderr, /--values, --set-values and --flavor are for packages, and p has no zarf\.yaml/)
  assert.equal(tried.code, 20)
})

const chains = {
  'platform/chains/web.yaml':
    'apiVersion: carto.run/v1alpha1\nkind: ClusterSupplyChain\nmetadata: {name: web}\nspec:\n  selector: {t: web}\n  params: [{name: p, value: 1, default: 2}]\n  resources: []\n',
  'platform/template.yml':
    'apiVersion: carto.run/v1alpha1\nkind: ClusterTemplate\nmetadata: {name: t}\nspec: {template: {}, ytt: x}\n',
  'platform/other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n',
}

test('all errors of supply chains, templates and workloads below a directory are reported in one run', async () => {
  await using repository = await startPackageRepository({
    ...chains,
    'platform/broken.yaml': 'apiVersion: carto.run/v1alpha1\nkind: Workload\nkind: Workload\n',
  })
  const { stdout, stderr, code } = await repository.values('lint', 'platform')
  assert.equal(
    stdout,
    'platform/broken.yaml:3:1: duplicate key "kind", which is already at 2:1\n' +
      'platform/chains/web.yaml:6:12: error validating clustersupplychain [web]: param [p] is invalid: must set exactly one of value and default\n' +
      'platform/template.yml:4:1: ClusterTemplate [t]: invalid template: must specify one of template or ytt, found both\n',
  )
  assert.match(stderr, /platform has 3 errors/)
  assert.equal(code, 20)
})

test('valid supply chains print nothing, and links in circles end', async () => {
  await using repository = await startPackageRepository({
    'platform/web.yaml': chains['platform/chains/web.yaml'].replace(', default: 2', ''),
  })
  assert.deepEqual(await repository.values('lint', 'platform').then(({ stdout, code }) => [stdout, code]), [
    '',
    0,
  ])
  await symlink('.', join(repository.root, 'platform/again'))
  const { stderr, code } = await repository.values('lint', 'platform')
  assert.match(stderr, /symlink "platform\/again" loops/)
  assert.equal(code, 20)
})
