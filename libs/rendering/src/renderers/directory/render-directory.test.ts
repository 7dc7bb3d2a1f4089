import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processMs } from '@wadi/testing/processor-time.ts'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import type { DirectoryOptions } from './directory-option-schema.ts'

const tools = await testTools()

function configMap(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`
}

const files = {
  'app/b.yaml': `${configMap('b2')}---\n${configMap('b1')}---\n# nothing\n`,
  'app/a.json':
    '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}]}',
  'app/c.txt': configMap('c'),
  'app/skipped.yml': `# +argocd:skip-file-rendering\n${configMap('skipped')}`,
  'app/sub/d.yaml': configMap('d'),
  'app/.argocd-source-web.yaml': 'directory: {}\n',
}

async function names(options: DirectoryOptions): Promise<string[]> {
  await using fixture = new RenderFixture(tools, files)
  const rendered = await fixture.render(testSource('app', { directory: options }))
  assert.deepEqual(rendered.record.commands, [])
  return rendered.manifests.map((manifest) => JSON.parse(manifest).metadata.name)
}

for (const [name, options, expected] of [
  ['the files of the directory alone by default', {}, ['a', 'b1', 'b2']],
  ['recurse', { recurse: true }, ['a', 'b1', 'b2', 'd']],
  ['include', { recurse: true, include: '{a.*,sub/*}' }, ['a', 'd']],
  ['exclude', { recurse: true, exclude: '*b*' }, ['a']],
  ['a star that crosses directories', { recurse: true, include: '*.yaml' }, ['b1', 'b2', 'd']],
  ['what a brace that is not closed matches', { recurse: true, include: '{a.*,sub/*' }, ['a', 'd']],
  ['disableExtensionFilter', { disableExtensionFilter: true }, ['a', 'b1', 'b2', 'c']],
] as const) {
  test(`a directory renders ${name}`, async () => {
    assert.deepEqual(await names(options), expected)
  })
}

test('a pattern that Argo CD cannot read is an error', async () => {
  await assert.rejects(
    names({ include: '[a-zA-Z]*' }),
    /glob "\[a-zA-Z\]\*" has a class that is not closed, or is/,
  )
  await assert.rejects(names({ exclude: '[' }), /glob "\[" has a class that is not closed/)
})

for (const [name, text, message] of [
  ['a duplicate key', `${configMap('a')}data: {x: "1", x: "2"}\n`, /app\/bad\.yaml:5: /],
  [
    'an object without kind',
    `${configMap('a')}---\napiVersion: v1\nmetadata: {name: b}\n`,
    /app\/bad\.yaml:6: .*kind/,
  ],
  ['broken YAML', 'kind: [1\n', /app\/bad\.yaml:\d+: /],
  ['a broken object in braces', '{"a": 1, "kind": "A" "x"}\n', /app\/bad\.yaml:1: /],
] as const) {
  test(`${name} is refused with file and line`, async () => {
    await using fixture = new RenderFixture(tools, { 'app/bad.yaml': text })
    await assert.rejects(fixture.render(testSource('app')), message)
  })
}

test('YAML that is nothing like a manifest is ignored with a warning, but not JSON', async () => {
  await using fixture = new RenderFixture(tools, {
    'app/a.yaml': configMap('a'),
    'app/broken.yml': 'a: [1\n',
    'app/list.yaml': '- a\n- b\n',
    'app/values.yaml': 'image: web\nissuer:\n  kind: ClusterIssuer\n',
  })
  const rendered = await fixture.render(testSource('app'))
  assert.equal(rendered.manifests.length, 1)
  const reason = 'is ignored: it has neither apiVersion nor kind; move it, or name it in directory.exclude'
  assert.deepEqual(
    rendered.record.warnings,
    ['broken.yml', 'list.yaml', 'values.yaml'].map((name) => `app/${name} ${reason}`),
  )
  fixture.write('app/package.json', '{"name": "web"}')
  await assert.rejects(fixture.render(testSource('app')), /app\/package\.json:1: .*needs the field kind/)
})

test('billion laughs are refused in little time', async () => {
  const levels = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? 'l0: &l0 [lol]'
      : `l${level}: &l${level} [${Array(10)
          .fill(`*l${level - 1}`)
          .join(', ')}]`,
  )
  await using fixture = new RenderFixture(tools, {
    'app/bomb.yaml': `${configMap('a')}${levels.join('\n')}\n`,
  })
  const refused = () => assert.rejects(fixture.render(testSource('app')), ResourceExhaustedError)
  assert.ok((await processMs(refused)) < 10_000)
})

test('a directory above the size limit is refused', async () => {
  await using fixture = new RenderFixture(tools, {
    'app/a.yaml': `${configMap('a')}data: {x: "${'x'.repeat(3000)}"}\n`,
  })
  await assert.rejects(fixture.render(testSource('app'), { manifestBytes: 2000 }), ResourceExhaustedError)
})

test('Jsonnet sees its variables, its imports and the libraries of the repository', async () => {
  await using fixture = new RenderFixture(tools, {
    'app/main.jsonnet': `local lib = import 'lib.libsonnet'; local near = import './near.libsonnet';
function(count) [lib.config(std.extVar('name'), near.value + count, importstr 'note.txt')]`,
    'app/near.libsonnet': '{ value: 40 }',
    'app/note.txt': 'noted',
    'vendor/lib.libsonnet':
      "{ config(name, value, note): { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: name }, data: { value: '%d' % value, note: note } } }",
  })
  const directory = {
    jsonnet: {
      libs: ['vendor'],
      extVars: [{ name: 'name', value: 'rev-$ARGOCD_APP_REVISION_SHORT' }],
      tlas: [{ name: 'count', value: '2', code: true }],
    },
  }
  const inspection = await fixture.inspect(testSource('app', { directory }))
  assert.deepEqual(inspection.inputs, [
    'app/main.jsonnet',
    'app/near.libsonnet',
    'app/note.txt',
    'vendor/lib.libsonnet',
  ])
  const rendered = await fixture.render(testSource('app', { directory }))
  assert.deepEqual(
    rendered.manifests.map((manifest) => JSON.parse(manifest)),
    [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'rev-0123456' },
        data: { value: '42', note: 'noted' },
      },
    ],
  )
})

test('of several Jsonnet libraries with one file the last applies, and the directory of the source after all of them', async () => {
  await using fixture = new RenderFixture(tools, {
    'app/deep/main.jsonnet': `local names = [import 'both.libsonnet', import 'first.libsonnet', import 'own.libsonnet', import 'all.libsonnet'];
[{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: std.join('-', names) } }]`,
    'app/own.libsonnet': "'own'",
    'app/all.libsonnet': "'none'",
    'one/both.libsonnet': "'none'",
    'one/first.libsonnet': "'one'",
    'one/all.libsonnet': "'none'",
    'two/both.libsonnet': "import 'beside.libsonnet'",
    'two/beside.libsonnet': "'two'",
    'two/all.libsonnet': "'all'",
    'one/beside.libsonnet': "'none'",
  })
  const directory = { recurse: true, jsonnet: { libs: ['one', './two'] } }
  const { manifests } = await fixture.render(testSource('app', { directory }))
  assert.deepEqual(
    manifests.map((text) => (JSON.parse(text) as { metadata: unknown }).metadata),
    [{ name: 'two-one-own-all' }],
  )
})

test('null in a list of Jsonnet is skipped, which a condition without an else yields', async () => {
  await using fixture = new RenderFixture(tools, {
    'app/a.jsonnet': `[if false then {}, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }]`,
  })
  assert.equal((await fixture.render(testSource('app'))).manifests.length, 1)
  fixture.write('app/a.jsonnet', `{ apiVersion: 'v1', kind: 'List', items: [null] }`)
  assert.equal((await fixture.render(testSource('app'))).manifests.length, 0)
})

test('an import in a comment or a string of Jsonnet is none', async () => {
  await using fixture = new RenderFixture(tools, {
    'app/main.jsonnet': `// import '../../etc/passwd'
/* local x = import '../../x.libsonnet'; */
{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { how: "import '../../y'" } }`,
  })
  assert.equal((await fixture.render(testSource('app'))).manifests.length, 1)
})

test('a Jsonnet import that leaves the repository is refused', async () => {
  await using fixture = new RenderFixture(tools, { 'app/main.jsonnet': "import '../../etc/passwd'" })
  await assert.rejects(
    fixture.inspect(testSource('app')),
    /app\/main\.jsonnet: import .* leads outside the repository/,
  )
})

test('an error of what Jsonnet evaluates to names the field, and no line that is in no file', async () => {
  for (const [text, message] of [
    [
      '[{apiVersion: "v1", kind: "A", metadata: {name: "a"}},\n\n{apiVersion: "v1"}]',
      /field kind \(items\[1\] of the result\)$/,
    ],
    ['// c\n{apiVersion: "v1", kind: 3}', /kind must be a string, not a number \(kind of the result\)$/],
  ] as const) {
    await using fixture = new RenderFixture(tools, { 'app/a.jsonnet': text })
    await assert.rejects(fixture.render(testSource('app')), (error: Error) => {
      assert.match(error.message, /^app\/a\.jsonnet: /)
      assert.match(error.message, message)
      return true
    })
  }
})

test('a List of nothing leaves no object, a list of objects is an error, and an empty file of JSON a warning', async () => {
  const list = 'apiVersion: v1\nkind: ConfigMapList\nitems:\n'
  await using fixture = new RenderFixture(tools, {
    'app/a.yaml': configMap('a'),
    'app/list.yaml': list,
    'app/b.json': '',
    'bad/values.yaml': '- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n',
    'other/values.yaml': '- a\n- {b: c}\n',
  })
  const { manifests, record } = await fixture.render(testSource('app'))
  assert.equal(manifests.length, 1)
  assert.deepEqual(record.warnings, ['app/b.json is empty, which Argo CD refuses; remove it'])
  await assert.rejects(
    fixture.render(testSource('bad')),
    /^InvalidInputError: bad\/values\.yaml:1: .*put --- between/,
  )
  assert.equal((await fixture.render(testSource('other'))).manifests.length, 0)
})
