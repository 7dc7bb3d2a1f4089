import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

// Put together, so that no scanner takes this file for a leak.
const url = ['postgres://shop', 's3cretpw99@db/orders'].join(':')

const files = {
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'charts/web/values.yaml': `replicas: 1\ndatabase:\n  url: ${url}\n`,
  'charts/web/templates/all.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {url: "{{ .Values.database.url }}"}\n' +
    '---\napiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData:\n  password: {{ .Values.password | default "fixed-in-template" }}\n',
  'charts/web/safe.yaml': 'database: {url: ""}\npassword: <path:secret/data/web#password>\n',
  'overlays/web/kustomization.yaml':
    'secretGenerator:\n  - name: web\n    literals:\n      - token=from-a-literal\n',
  'plain/one.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: {name: one, namespace: shop}\ndata:\n  a: aHVudGVyMjI=\n',
  'plain/two.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: two}\ndata:\n  a: aHVudGVyMjI=\n',
  'clean/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: b}\n',
}

const values = ['s3cretpw99', 'fixed-in-template', 'from-a-literal', 'aHVudGVyMjI=', 'hunter22']

test('what a chart renders is checked, and findings name the lines of values and templates', async () => {
  await using copy = await startWorkingCopy(files)
  const { stdout, stderr, code } = await copy.wadi(['check', 'charts/web'])
  assert.deepEqual(
    stdout.split('\n').map((line) => line.split(/ {2,}/)),
    [
      ['SEVERITY', 'RULE', 'OBJECT', 'FIELD', 'PLACE', 'MESSAGE'],
      [
        'deny',
        'secrets/database-connection-string',
        'ConfigMap/web',
        'data.url',
        'charts/web/values.yaml:3',
        'looks like a credential (PostgreSQLConnection); keep it in a secret store and refer to it',
      ],
      [
        'deny',
        'secrets/plain-secret',
        'Secret/web',
        'stringData.password',
        'charts/web/templates/all.yaml:10',
        'is a plain value of a Secret; write a SealedSecret, an ExternalSecret or a placeholder, or encrypt it with SOPS',
      ],
      [''],
    ],
    stderr,
  )
  assert.equal(code, 1)
})

test('values that are tried out decide what is found', async () => {
  await using copy = await startWorkingCopy(files)
  const { stdout, stderr, code } = await copy.wadi(['check', 'charts/web', '--values', 'safe.yaml'])
  assert.deepEqual([stdout, code], ['no findings\n', 0], stderr)
})

test('several directories and files give one list, without any value', async () => {
  await using copy = await startWorkingCopy(files)
  const { stdout, stderr, code } = await copy.wadi([
    'check',
    'overlays/web',
    'clean',
    'plain/one.yaml',
    'plain',
    '-o',
    'json',
  ])
  assert.equal(code, 1, stderr)
  const findings: { source: string; file?: string; line?: number }[] = JSON.parse(stdout)
  assert.deepEqual(
    findings.map(({ source, file, line }) => [source, file, line]),
    [
      ['overlays/web', 'overlays/web/kustomization.yaml', 4],
      ['plain/one.yaml', 'plain/one.yaml', 5],
      // The same value is written twice, in files of which the other is there already.
      ['plain', 'plain/two.yaml', 5],
    ],
  )
  const yaml = await copy.wadi(['check', 'plain/one.yaml', '-o', 'yaml'])
  assert.match(yaml.stdout, /^- field: data\.a$/m)
  for (const value of values) assert.ok(![stdout, stderr, yaml.stdout].join().includes(value), value)
})

test('SARIF has a level, the line and the object of each finding', async () => {
  await using copy = await startWorkingCopy({
    ...files,
    'plain files/three.yaml': 'kind: Secret\napiVersion: v1\nmetadata: {name: x}\nstringData: {a: "1"}\n',
  })
  const { stdout, stderr, code } = await copy.wadi(['check', 'plain/one.yaml', 'plain files', '-o', 'sarif'])
  assert.equal(code, 1, stderr)
  const log = JSON.parse(stdout)
  assert.equal(log.version, '2.1.0')
  const [run] = log.runs
  assert.deepEqual(run.tool.driver.rules, [{ id: 'secrets/plain-secret' }])
  const [first, second] = run.results
  assert.deepEqual([first.ruleId, first.ruleIndex, first.level], ['secrets/plain-secret', 0, 'error'])
  assert.match(first.message.text, /^Secret\/shop\/one data\.a: is a plain value of a Secret; /)
  assert.deepEqual(first.locations, [
    {
      physicalLocation: { artifactLocation: { uri: 'plain/one.yaml' }, region: { startLine: 5 } },
      logicalLocations: [{ fullyQualifiedName: 'Secret/shop/one/data.a' }],
    },
  ])
  // The value is too short to be looked for, so it is that of the field of the object.
  assert.deepEqual(second.locations[0].physicalLocation, {
    artifactLocation: { uri: 'plain%20files/three.yaml' },
    region: { startLine: 4 },
  })
  assert.notEqual(first.partialFingerprints['wadiFinding/v1'], second.partialFingerprints['wadiFinding/v1'])
})

test('a place that does not exist and a file that is not YAML are errors', async () => {
  await using copy = await startWorkingCopy({ 'broken.yaml': 'a: b\nkind: [\n' })
  const missing = await copy.wadi(['check', 'nowhere'])
  assert.equal(missing.code, 20)
  assert.match(missing.stderr, /nowhere does not exist/)
  const broken = await copy.wadi(['check', 'broken.yaml'])
  assert.equal(broken.code, 20)
  assert.match(broken.stderr, /broken\.yaml:/)
})

test('removed API versions are found for the version of the cluster', async () => {
  const schema = 'kind: FlowSchema\napiVersion: flowcontrol.apiserver.k8s.io/v1beta3\nmetadata: {name: web}\n'
  await using copy = await startWorkingCopy({
    'old/ingress.yaml': 'kind: Ingress\napiVersion: extensions/v1beta1\nmetadata: {name: web}\n',
    'old/schema.yaml': schema,
  })
  const usual = await copy.wadi(['check', 'old'])
  assert.match(
    usual.stdout,
    /^deny +api-versions\/removed +Ingress\/web +apiVersion +old\/ingress\.yaml:2 +is not in Kubernetes 1\.22 and later; /m,
    usual.stderr,
  )
  assert.doesNotMatch(usual.stdout, /FlowSchema/)
  const newer = await copy.wadi(['check', 'old/schema.yaml', '--cluster-version', 'v1.32.1'])
  assert.match(newer.stdout, /FlowSchema\/web/, newer.stderr)
  assert.equal(newer.code, 1)
  const wrong = await copy.wadi(['check', 'old', '--cluster-version', 'newest'])
  assert.equal(wrong.code, 20)
  assert.match(wrong.stderr, /newest is not a version of Kubernetes, such as 1\.35/)
})

test('settings decide severities and waivers, and wrong ones are errors with their place', async () => {
  await using copy = await startWorkingCopy(files)
  await copy.write('wadi.yaml', 'gates: {secrets: warn}\n')
  const warned = await copy.wadi(['check', 'plain/one.yaml'])
  assert.match(warned.stdout, /^warn +secrets\/plain-secret /m, warned.stderr)
  assert.equal(warned.code, 0)
  await copy.write('wadi.yaml', 'gates: {secrets: off}\n')
  const off = await copy.wadi(['check', 'plain/one.yaml', 'charts/web'])
  assert.deepEqual([off.stdout, off.code], ['no findings\n', 0], off.stderr)
  await copy.write('wadi.yaml', 'gates:\n  secrets: denied\n')
  const wrong = await copy.wadi(['check', 'plain/one.yaml'])
  assert.equal(wrong.code, 20)
  assert.match(wrong.stderr, /wadi\.yaml:2:3: gates\.secrets must be deny, warn, audit or off/)
})

test('a waiver covers the object of an Application until it expires', async () => {
  await using copy = await startWorkingCopy(files)
  const waivers = (expires: string): string =>
    `waivers:\n  - {rule: secrets/plain-secret, application: one, object: Secret/shop/*, reason: test data, owner: shop, expires: ${expires}}\n`
  await copy.write('wadi.yaml', waivers('2999-12-31'))
  const waived = await copy.wadi(['check', 'plain/one.yaml', '--app', 'one'])
  assert.deepEqual([waived.stdout, waived.code], ['no findings, 1 waived\n', 0], waived.stderr)
  const other = await copy.wadi(['check', 'plain/one.yaml', '--app', 'other'])
  assert.equal(other.code, 1)
  await copy.write('wadi.yaml', waivers('2020-02-29'))
  const expired = await copy.wadi(['check', 'plain/one.yaml', 'plain', '--app', 'one', '-o', 'json'])
  assert.equal(expired.code, 1, expired.stderr)
  const findings: { rule: string; severity: string; file?: string; line?: number }[] = JSON.parse(
    expired.stdout,
  )
  assert.deepEqual(
    findings
      .filter(({ rule }) => rule === 'waivers/expired')
      .map(({ severity, file, line }) => [severity, file, line]),
    [['warn', 'wadi.yaml', 2]],
  )
})

test('a waiver in an annotation covers its object where wadi.yaml names the Application, and is a suppression in SARIF', async () => {
  await using copy = await startWorkingCopy(files)
  const annotation = (expires: string): string =>
    `- rule: secrets/plain-secret\n        reason: test data\n        owner: shop\n        expires: ${expires}\n`
  const object = (expires: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: one\n  annotations:\n    wadi.dev/waivers: |\n      ${annotation(expires)}stringData:\n  a: hunter2222\n`
  await copy.write('plain/one.yaml', object('2999-12-31'))
  const check = (...flags: string[]) => copy.wadi(['check', 'plain/one.yaml', '--app', 'one', ...flags])
  const denied = await check()
  assert.match(denied.stdout, /^deny +secrets\/plain-secret .*waiverAnnotations in wadi\.yaml does not name/m)
  assert.equal(denied.code, 1)
  await copy.write('wadi.yaml', 'waiverAnnotations: [one]\n')
  const waived = await check()
  assert.deepEqual([waived.stdout, waived.code], ['no findings, 1 waived\n', 0], waived.stderr)
  const [result, ...more] = JSON.parse((await check('-o', 'sarif')).stdout).runs[0].results
  assert.deepEqual(more, [])
  assert.deepEqual(
    [result.ruleId, result.suppressions],
    [
      'secrets/plain-secret',
      [{ kind: 'inSource', status: 'accepted', justification: 'test data (shop, until 2999-12-31)' }],
    ],
  )
  await copy.write('plain/one.yaml', object('2020-02-29'))
  const expired = await check('-o', 'json')
  assert.equal(expired.code, 1, expired.stderr)
  const findings: { rule: string; severity: string; line?: number }[] = JSON.parse(expired.stdout)
  assert.deepEqual(
    findings.map(({ rule, severity, line }) => [rule, severity, line]),
    [
      ['secrets/plain-secret', 'deny', 12],
      ['waivers/expired', 'warn', 7],
    ],
  )
})

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`

test('objects are checked by the schemas of the version of the cluster, with the line of a wrong field', async () => {
  await using copy = await startWorkingCopy({
    'plain/pod.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  hostnameOverride: web\n  containers:\n    - name: web\n      imagePullpolicy: Always\n',
  })
  const rows = async (...flags: string[]): Promise<string[][]> => {
    const { stdout, stderr, code } = await copy.wadi(['check', 'plain', ...flags])
    assert.equal(code, 1, stderr)
    return stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/).slice(0, 5))
  }
  const container = 'spec.containers[0].imagePullpolicy'
  assert.deepEqual(await rows('--cluster-version', '1.34'), [
    ['deny', 'schemas/unknown-field', 'Pod/web', container, 'plain/pod.yaml:8'],
  ])
  assert.deepEqual(await rows(), [
    ['deny', 'schemas/unknown-field', 'Pod/web', 'spec.hostnameOverride', 'plain/pod.yaml:5'],
    ['deny', 'schemas/unknown-field', 'Pod/web', container, 'plain/pod.yaml:8'],
  ])
})

test('custom resources are checked by definitions in directories that wadi.yaml names', async () => {
  await using copy = await startWorkingCopy({
    'crds/example/widgets.yaml': definition,
    'crds/README.md': 'Not YAML: [\n',
    'plain/widget.yaml':
      'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: web}\nspec: {size: "3"}\n',
  })
  const none = await copy.wadi(['check', 'plain'])
  assert.deepEqual([none.stdout, none.code], ['no findings\n', 0], none.stderr)
  await copy.write('wadi.yaml', 'definitions: [crds]\ngates: {schemas: warn}\n')
  const found = await copy.wadi(['check', 'plain', '-o', 'json'])
  assert.equal(found.code, 0, found.stderr)
  const [finding] = JSON.parse(found.stdout)
  assert.deepEqual(
    [finding.severity, finding.rule, finding.field, finding.message],
    ['warn', 'schemas/wrong-type', 'spec.size', 'must be an integer, not a string'],
  )
  await copy.write('wadi.yaml', 'definitions:\n  - crd\n')
  const wrong = await copy.wadi(['check', 'plain'])
  assert.equal(wrong.code, 20)
  assert.match(wrong.stderr, /wadi\.yaml:1:1: definitions "crd" is not a directory; create it or remove it/)
  await copy.write('wadi.yaml', 'definitions: crds\n')
  await copy.write('crds/example/broken.yaml', 'kind: CustomResourceDefinition\na: [\n')
  const broken = await copy.wadi(['check', 'plain'])
  assert.equal(broken.code, 20)
  assert.match(broken.stderr, /crds\/example\/broken\.yaml:/)
})
