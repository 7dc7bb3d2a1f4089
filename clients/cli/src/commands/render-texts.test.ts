import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const chart = 'apiVersion: v2\nname: web\nversion: 1.0.0\n'
const configMap = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${more}}\n`
const latin1 = Buffer.from(
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: caf\xe9}\n',
  'latin1',
)
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
const chartFiles = {
  'app/Chart.yaml': chart,
  'app/templates/a.yaml': `${configMap('a')}data: {a: '{{ .Values.a }}'}\n`,
}

const cases: {
  what: string
  files: Record<string, string | Uint8Array>
  message: RegExp
}[] = [
  { what: 'YAML', files: { 'app/a.yaml': latin1 }, message: /app\/a\.yaml:4: byte 65 \(0xe9\) is not UTF-8/ },
  {
    what: 'JSON',
    files: { 'app/a.json': Buffer.from('{"apiVersion": "v1",\n"kind": "\xff"}', 'latin1') },
    message: /app\/a\.json:2: byte 31 \(0xff\) is not UTF-8/,
  },
  {
    what: 'Jsonnet',
    files: { 'app/a.jsonnet': "{a: importstr 'b.txt'}", 'app/b.txt': Buffer.from([0xff]) },
    message: /app\/b\.txt:1: byte 1 \(0xff\) is not UTF-8/,
  },
  {
    what: 'a value file',
    files: {
      ...chartFiles,
      'app/.argocd-source.yaml': 'helm: {valueFiles: [prod.yaml]}\n',
      'app/prod.yaml': Buffer.from('a: \xe9\n', 'latin1'),
    },
    message: /app\/prod\.yaml:1: byte 4 \(0xe9\) is not UTF-8/,
  },
  {
    what: "a chart's own values",
    files: { ...chartFiles, 'app/values.yaml': Buffer.from('a: \xe9\n', 'latin1') },
    message: /values\.yaml.*UTF-8/s,
  },
  {
    what: "a chart's template",
    files: {
      ...chartFiles,
      'app/templates/b.yaml': Buffer.from(`${configMap('b')}data: {b: "\xe9"}\n`, 'latin1'),
    },
    message: /UTF-8/,
  },
  {
    what: 'a resource of a kustomization',
    files: { 'app/kustomization.yaml': 'resources: [a.yaml]\n', 'app/a.yaml': latin1 },
    message: /a\.yaml.*UTF-8/s,
  },
  {
    what: 'a kustomization',
    files: { 'app/kustomization.yaml': Buffer.from('namePrefix: \xe9\n', 'latin1') },
    message: /app\/kustomization\.yaml:1: byte 13 \(0xe9\) is not UTF-8/,
  },
  {
    what: 'the values of a package',
    files: {
      'app/zarf.yaml':
        'kind: ZarfPackageConfig\nmetadata: {name: a}\nvalues: {files: [v.yaml]}\ncomponents: [{name: a, required: true}]\n',
      'app/v.yaml': Buffer.from('a: 1\nb: \xe9\n', 'latin1'),
    },
    message: /app\/v\.yaml:2: byte 9 \(0xe9\) is not UTF-8/,
  },
]

const pointers: typeof cases = [
  { what: 'a manifest', files: { 'app/a.yaml': pointer }, message: /app\/a\.yaml is a Git LFS pointer/ },
  {
    what: 'a value file',
    files: {
      ...chartFiles,
      'app/.argocd-source.yaml': 'helm: {valueFiles: [prod.yaml]}\n',
      'app/prod.yaml': pointer,
    },
    message: /app\/prod\.yaml is a Git LFS pointer/,
  },
  {
    what: 'a packed chart',
    files: { ...chartFiles, 'app/charts/sub-1.0.0.tgz': pointer },
    message: /app\/charts\/sub-1\.0\.0\.tgz is a Git LFS pointer/,
  },
  {
    what: 'a resource of a kustomization',
    files: { 'app/kustomization.yaml': 'resources: [a.yaml]\n', 'app/a.yaml': pointer },
    message: /app\/a\.yaml is a Git LFS pointer/,
  },
  {
    what: 'a package',
    files: { 'app/zarf.yaml': pointer },
    message: /app\/zarf\.yaml is a Git LFS pointer/,
  },
]

/** One repository has the files of all cases, each in a directory of its own. */
const moved = Object.entries({ text: cases, pointer: pointers }).flatMap(([kind, all]) =>
  all.flatMap(({ files }, index) =>
    Object.entries(files).map(([file, content]) => [`${kind}-${index}/${file}`, content] as const),
  ),
)
const ofCases = await usedByFile(startWorkingCopy(Object.fromEntries(moved)))

for (const [index, { what, message }] of cases.entries()) {
  test(`${what} with bytes that are not UTF-8 is refused with its place`, async () => {
    const { stdout, stderr, code } = await ofCases.wadi(['render', `text-${index}/app`])
    assert.equal(stdout, '')
    assert.match(stderr, message)
    assert.equal(code, 20)
  })
}

for (const [index, { what, message }] of pointers.entries()) {
  test(`${what} that is a Git LFS pointer is called one, with what to do`, async () => {
    const { stdout, stderr, code } = await ofCases.wadi(['render', `pointer-${index}/app`])
    assert.deepEqual([stdout, code], ['', 20])
    assert.match(stderr, message)
    assert.match(stderr, /out of LFS in \.gitattributes and commit the content itself/)
  })
}

test('a Git LFS pointer that became the content of an object is a warning', async () => {
  await using copy = await startWorkingCopy({
    'app/kustomization.yaml': 'configMapGenerator: [{name: a, files: [big.bin]}]\n',
    'app/big.bin': pointer,
  })
  const { stderr, code } = await copy.wadi(['render', 'app'])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /WARN.*ConfigMap a-\w+ holds a Git LFS pointer/)
})

test('objects of one name and objects without one are warnings', async () => {
  await using copy = await startWorkingCopy({
    'app/a.yaml': `${configMap('a')}---\n${configMap('b', ', namespace: one')}---\n${configMap('b', ', namespace: two')}`,
    'app/b.yaml': configMap('a'),
    'app/c.yaml':
      'apiVersion: apps/v1\nkind: Deployment\n---\napiVersion: batch/v1\nkind: Job\nmetadata: {generateName: a-}\n',
  })
  const { stderr, code } = await copy.wadi(['render', 'app'])
  assert.equal(code, 0)
  const warnings = stderr
    .replaceAll(/^WARN\[\d+\] /gm, '')
    .trim()
    .split('\n')
  assert.deepEqual(warnings, [
    'app/c.yaml: Deployment.apps has no name, so no cluster accepts it; set metadata.name',
    'ConfigMap a appears 2 times (app/a.yaml, app/b.yaml), and a cluster holds one; remove or rename the others',
  ])
})

test('a name and a namespace that YAML reads as something else than strings are warnings that say so', async () => {
  await using copy = await startWorkingCopy({
    'app/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 123, namespace: no}\n',
  })
  const { stderr, code } = await copy.wadi(['render', 'app'])
  assert.equal(code, 0)
  assert.match(
    stderr,
    /ConfigMap has a number as metadata\.name, so no cluster accepts it; put it in quotes\n/,
  )
  assert.match(
    stderr,
    /ConfigMap has a boolean as metadata\.namespace, so no cluster accepts it; put it in quotes\n/,
  )
  assert.doesNotMatch(stderr, /has no name/)
})

test('annotations without any are dropped as Argo CD drops them, and nothing else', async () => {
  await using copy = await startWorkingCopy({
    'app/a.yaml': `${configMap('a', ', annotations: null, labels: null')}---
${configMap('b', ', annotations: {}, labels: {}')}---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: c, annotations: null}
`,
  })
  const { stdout } = await copy.wadi(['render', 'app'])
  assert.equal(
    stdout,
    `apiVersion: v1
kind: ConfigMap
metadata:
  labels: null
  name: a
---
apiVersion: v1
kind: ConfigMap
metadata:
  labels: {}
  name: b
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations: null
  name: c
`,
  )
})

test('a chart sees the version of Kubernetes and the API versions that are given; nothing else takes them', async () => {
  await using copy = await startWorkingCopy({
    'app/Chart.yaml': chart,
    'app/templates/a.yaml': `${configMap('a')}data: {version: '{{ .Capabilities.KubeVersion }}', apis: '{{ .Capabilities.APIVersions.Has "a.io/v1" }} {{ .Capabilities.APIVersions.Has "c.io/v1" }}'}\n`,
    'plain/a.yaml': configMap('a'),
  })
  const { stdout, stderr } = await copy.wadi([
    'render',
    'app',
    '--kube-version=1.29.3',
    '--api-versions=a.io/v1,b.io/v1',
    '-ac.io/v1',
  ])
  assert.match(stdout, /apis: true true\n {2}version: v1\.29\.3/, stderr)
  const plain = await copy.wadi(['render', 'plain', '--kube-version', '1.29'])
  assert.equal(plain.code, 20)
  assert.match(
    plain.stderr,
    /^FATA\[\d+\] plain is a plain directory .*--kube-version and --api-versions are for charts/,
  )
})
