import assert from 'node:assert/strict'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { sortManifests } from '@wadi/manifests/sort-manifests.ts'
import { InspectionCache } from '../../inspection/inspection-cache.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../../run/render-fixture.ts'

const recorded = join(import.meta.dirname, '../../../../zarf/src/testdata/recorded')

const tools = await testTools()

/** A repository whose directory `p` holds a recorded package. */
function recordedPackage(directory: string): RenderFixture {
  const fixture = new RenderFixture(tools, {})
  for (const name of readdirSync(join(recorded, directory), { recursive: true, encoding: 'utf8' })) {
    const path = join(recorded, directory, name)
    if (statSync(path).isFile() && !name.startsWith('expected.')) {
      fixture.write(`p/${name}`, readFileSync(path, 'utf8'))
    }
  }
  return fixture
}

/** Returns Zarf's output for a package, its objects in the namespace that Helm would put them into. */
function printed(directory: string, version: string): string[] {
  const text = readFileSync(join(recorded, directory, 'expected.out'), 'utf8').replaceAll('v1.36.0', version)
  const manifests = parseManifests(text, { file: 'expected.out' })
  for (const manifest of manifests) {
    const { kind, metadata } = manifest
    if (kind !== 'CustomResourceDefinition' && isJsonObject(metadata)) metadata['namespace'] = 'ns'
  }
  return sortManifests(manifests).map((manifest) => manifestToJson(manifest))
}

for (const directory of ['hooks-crds-kustomize', 'precedence']) {
  test(`the objects of the package ${directory} are those that Zarf prints`, async () => {
    await using fixture = recordedPackage(directory)
    const rendered = await fixture.render(testSource('p'))
    const [, version = 'v1.36.0'] = /(v1\.\d+\.\d+) true/.exec(rendered.manifests.join('\n')) ?? []
    assert.deepEqual(rendered.manifests, printed(directory, version))
    assert.deepEqual(rendered.record.commands, ['wadi render p'])
    assert.equal(rendered.widened, false)
  })
}

test('lists are replaced, and a null takes a default of the chart away', async () => {
  await using fixture = recordedPackage('merge-lists-null')
  const { manifests } = await fixture.render(testSource('p'))
  assert.deepEqual(manifests, printed('merge-lists-null', ''))
})

test('the error of a package names its file and line', async () => {
  await using fixture = recordedPackage('missing-source')
  await assert.rejects(fixture.inspect(testSource('p')), {
    name: 'InvalidInputError',
    message:
      /^p\/zarf\.yaml:7:\d+: .*unable to extract value source: key "nope" not found in path \.app\.nope/,
  })
})

const chartFiles = {
  'p/chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'p/chart/templates/all.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: "{{ required "a is missing" .Values.a }}"}\n',
}
const chartPackage = `kind: ZarfPackageConfig
metadata: {name: p}
values: {files: [values.yaml]}
components:
  - name: web
    required: true
    charts:
      - {name: web, namespace: ns, localPath: chart, values: [{sourcePath: .a, targetPath: .a}]}
`

test('integers that are mapped into a chart stay integers, wherever they are', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chartFiles,
    'p/zarf.yaml': chartPackage,
    'p/chart/templates/all.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data:
  v: "{{ .Values.a.user }} {{ eq .Values.a.one 1 }} {{ index .Values.a "x.y,z=[1]" }} {{ .Values.a.f }}"
  l: {{ toJson .Values.a.list | quote }}
  i: "{{ (index .Values.a.list 1).n }} {{ index (index .Values.a.list 2) 0 }}"
`,
    'p/values.yaml':
      'a: {user: 1000660000, one: 1, "x.y,z=[1]": 3000000, f: 2.5, list: [a, {n: 5000000}, [7000000]], __proto__: 1}\n',
  })
  const { manifests } = await fixture.render(testSource('p'))
  assert.deepEqual(manifests, [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web","namespace":"ns"},"data":{"v":"1000660000 true 3000000 2.5","l":"[\\"a\\",{\\"n\\":5000000},[7000000]]","i":"5000000 7000000"}}',
  ])
})

test('a chart that fails is named with its component', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chartFiles,
    'p/zarf.yaml': chartPackage,
    'p/values.yaml': 'a: ""\n',
  })
  await assert.rejects(fixture.render(testSource('p')), {
    name: 'InvalidInputError',
    message: /^component "web" chart "web": .*helm template web p\/chart --namespace ns[\s\S]*a is missing/,
  })
})

test('the fingerprint follows the files that the package reads, and no other', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chartFiles,
    'p/zarf.yaml': chartPackage,
    'p/values.yaml': 'a: one\n',
    'p/notes.txt': 'one',
  })
  const { fingerprint, inputs, renderer } = await fixture.inspect(testSource('p'))
  assert.equal(renderer, 'package')
  assert.deepEqual(inputs, ['p/chart', 'p/values.yaml', 'p/zarf.yaml'])
  const now = async () => (await fixture.inspect(testSource('p'))).fingerprint
  fixture.write('p/notes.txt', 'two')
  assert.equal(await now(), fingerprint)
  fixture.write('p/values.yaml', 'a: two\n')
  const changedValues = await now()
  assert.notEqual(changedValues, fingerprint)
  fixture.write('p/chart/values.yaml', 'b: 1\n')
  assert.notEqual(await now(), changedValues)
})

test('a package that gains a configuration is inspected and rendered again', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chartFiles,
    'p/zarf.yaml': chartPackage,
    'p/values.yaml': 'a: one\n',
  })
  const cache = new InspectionCache()
  const source = testSource('p')
  const inspect = async () => {
    const tree = openDirectoryTree(fixture.directory)
    return await cache.inspect(tree, source, testRevision, fixture.tools, strictPolicy)
  }
  const first = await inspect()
  assert.equal(await inspect(), first)
  fixture.write('p/zarf-config.yaml', 'package: {deploy: {set_values: {a: two}}}\n')
  const second = await inspect()
  assert.notEqual(second.fingerprint, first.fingerprint)
  const { manifests } = await fixture.render(source)
  assert.match(manifests.join('\n'), /"a":"two"/)
})

test('objects get the namespace of their manifest set, those of a cluster excepted, and kinds that nobody knows are reported', async () => {
  await using fixture = new RenderFixture(tools, {
    'p/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: p}
x-wadi: {syncWaves: true}
components:
  - {name: first, required: true, manifests: [{name: crds, namespace: ns, files: [crds.yaml]}]}
  - {name: second, required: true, manifests: [{name: m, namespace: ns, files: [m.yaml]}]}
`,
    'p/crds.yaml':
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: fleets.x.io}\nspec: {group: x.io, scope: Cluster, names: {kind: Fleet}}\n',
    'p/m.yaml': `{apiVersion: v1, kind: Service, metadata: {name: s, annotations: {argocd.argoproj.io/sync-wave: "7"}}}
---
{apiVersion: v1, kind: Service, metadata: {name: t, namespace: own}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: area}}
---
{apiVersion: x.io/v1, kind: Fleet, metadata: {name: f}}
---
{apiVersion: y.io/v1, kind: Boat, metadata: {name: b}, spec: {big: 12345678901234567890}}
`,
  })
  const { manifests, record } = await fixture.render(testSource('p'))
  const found = manifests.map((text) => {
    const [, name] = /"name":"([^"]*)"/.exec(text) ?? []
    const [, namespace] = /"namespace":"([^"]*)"/.exec(text) ?? []
    const [, wave] = /"argocd.argoproj.io\/sync-wave":"(\d)"/.exec(text) ?? []
    return [name, namespace, wave]
  })
  assert.deepEqual(found, [
    ['area', undefined, '1'],
    ['f', undefined, '1'],
    ['fleets.x.io', undefined, '0'],
    ['b', 'ns', '1'],
    ['s', 'ns', '7'],
    ['t', 'own', '1'],
  ])
  assert.ok(manifests.some((text) => text.includes('12345678901234567890')))
  assert.deepEqual(record.warnings, [
    'taken for kinds that live in namespaces, as nothing here defines them: Boat.y.io; set metadata.namespace to be sure',
  ])
})

test('options of another renderer are refused beside a package', async () => {
  await using fixture = new RenderFixture(tools, {
    'p/zarf.yaml': chartPackage,
    'p/.argocd-source.yaml': 'directory: {recurse: true}\n',
  })
  await assert.rejects(fixture.inspect(testSource('p')), {
    message:
      'p/.argocd-source.yaml:1: source "p" is a package, as it has a zarf.yaml, and has options of another renderer: directory; remove them, what decides a package is in zarf-config.yaml',
  })
})

test('a package beside a chart is a package, and a packed chart is rendered', async () => {
  await using fixture = new RenderFixture(tools, {
    'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'templates/all.yaml': chartFiles['p/chart/templates/all.yaml'],
    'values.yaml': 'a: default\n',
    'zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: p}
components:
  - {name: c, required: true, charts: [{name: web, namespace: ns, localPath: web-1.0.0.tgz}]}
`,
  })
  await fixture.bare('helm', 'package', '.').catch(() => [])
  const { manifests } = await fixture.render(testSource(''))
  assert.deepEqual(manifests, [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"web","namespace":"ns"},"data":{"a":"default"}}',
  ])
})

const filesPackage = (files: string): string =>
  `kind: ZarfPackageConfig\nmetadata: {name: p}\nvalues: {files: [values.yaml]}\ncomponents:\n  - {name: c, required: true, files: [${files}]}\n`

test('templated files with a target inside are written beside the manifests, others are reported', async () => {
  await using fixture = new RenderFixture(tools, {
    'p/zarf.yaml': filesPackage(
      '{source: f.txt, target: ./out//f.txt, template: true}, {source: f.txt, target: plain.txt}, ' +
        '{source: f.txt, target: ../up.txt, template: true}, {source: f.txt, target: ~/home.txt, template: true}, ' +
        '{source: f.txt, target: /etc/f.txt, template: true}, {source: directory, target: d, template: true}',
    ),
    'p/values.yaml': 'who: ops\n',
    'p/f.txt': 'for {{ .Values.who }}\n',
    'p/directory/sub/a': '{{ .Values.who }}\n',
  })
  const { manifests, files, record } = await fixture.render(testSource('p'))
  assert.deepEqual(manifests, [])
  assert.deepEqual(files, [
    { path: 'out/f.txt', content: 'for ops\n' },
    { path: 'd/sub/a', content: 'ops\n' },
  ])
  const reported = [...record.warnings, ...(await fixture.inspect(testSource('p'))).warnings].filter(
    (warning) => warning.includes('f.txt for'),
  )
  assert.deepEqual(
    reported.map((warning) => / for (\S+) is not part/.exec(warning)?.[1]),
    ['plain.txt', '../up.txt', '~/home.txt', '/etc/f.txt'],
  )
})

test('the target of a file that no directory of a branch can hold is named with its package', async () => {
  await using fixture = new RenderFixture(tools, {
    'p/zarf.yaml': filesPackage('{source: f.txt, target: x/.git/config, template: true}'),
    'p/values.yaml': '{}\n',
    'p/f.txt': 'x\n',
  })
  await assert.rejects(fixture.inspect(testSource('p')), {
    name: 'InvalidInputError',
    message:
      /^p: file "x\/.git\/config" cannot be written beside the manifests: it has a component that stands/,
  })
})

test('links of a package lead to files of the repository alone', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chartFiles,
    'p/zarf.yaml': chartPackage,
    'shared/values.yaml': 'a: linked\n',
  })
  fixture.link('p/values.yaml', '../shared/values.yaml')
  const { manifests } = await fixture.render(testSource('p'))
  assert.match(manifests.join('\n'), /"a":"linked"/)
  fixture.link('p/unrelated', 'missing')
  assert.deepEqual((await fixture.render(testSource('p'))).manifests, manifests)
  fixture.link('p/chart/out.yaml', '/etc/hostname')
  await assert.rejects(fixture.inspect(testSource('p')), {
    message: /^component "web" chart "web": symlink "p\/chart\/out.yaml" leads to the absolute path/,
  })
})

test('a package above the limit of manifests is refused', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chartFiles,
    'p/zarf.yaml': chartPackage,
    'p/values.yaml': 'a: one\n',
  })
  await assert.rejects(fixture.render(testSource('p'), { manifestBytes: 20 }), ResourceExhaustedError)
})
