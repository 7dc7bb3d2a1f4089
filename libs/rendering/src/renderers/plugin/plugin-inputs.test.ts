import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InspectionCache } from '../../inspection/inspection-cache.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { testPlugin, testPlugins } from './plugins-fixture.ts'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../../run/render-fixture.ts'
import type { SourceInspection } from '../../inspection/source-inspection.ts'

const tools = await testTools()
const plugins = testPlugins(testPlugin('p'))
const files = {
  'apps/web/a.yaml': 'a',
  'lib/one.libsonnet': '1',
  'lib/two.txt': '2',
  'lib/deep/three.libsonnet': '3',
  'env/prod/x': 'x',
  VERSION: '1',
}

async function inspected(
  fixture: RenderFixture,
  annotation: string,
  path = 'apps/web',
): Promise<SourceInspection> {
  const source = { ...testSource(path, { plugin: { name: 'p' } }), manifestGeneratePaths: annotation }
  return await fixture.inspect(source)
}

function seen({ plan }: SourceInspection): readonly string[] | undefined {
  return plan.plugins[0]?.call.inputs
}

for (const [annotation, inputs] of [
  ['', ['']],
  [' ; ', ['']],
  ['.', ['apps/web']],
  ['/lib', ['apps/web', 'lib']],
  ['.;../../VERSION;/env/', ['VERSION', 'apps/web', 'env']],
  ['/lib/*.libsonnet', ['apps/web', 'lib/one.libsonnet']],
  ['../../lib/**/*.libsonnet', ['apps/web', 'lib/deep/three.libsonnet', 'lib/one.libsonnet']],
  ['/', ['']],
  ['../..', ['']],
] as const) {
  test(`with manifest-generate-paths ${JSON.stringify(annotation)} the plugin sees ${JSON.stringify(inputs)}`, async () => {
    await using fixture = new RenderFixture(tools, files, plugins)
    const inspection = await inspected(fixture, annotation)
    assert.deepEqual(seen(inspection), inputs)
    assert.deepEqual(inspection.inputs, inputs)
    assert.deepEqual(
      inspection.warnings.filter((warning) => !warning.startsWith('not in git')),
      [],
    )
  })
}

test('without the annotation only the root is read, so that no source walks the repository', async () => {
  await using fixture = new RenderFixture(tools, files, plugins)
  const { reads } = await inspected(fixture, '')
  assert.deepEqual(
    reads.map(([path]) => path),
    [''],
  )
})

test('a path that does not exist is reported, and the source is inspected again once it does', async () => {
  await using fixture = new RenderFixture(tools, files, plugins)
  const cache = new InspectionCache()
  const options = { plugin: { name: 'p' } }
  const source = { ...testSource('apps/web', options), manifestGeneratePaths: '/libs;/no/*.x' }
  const inspect = () =>
    cache.inspect(openDirectoryTree(fixture.directory), source, testRevision, fixture.tools, strictPolicy)
  assert.deepEqual((await inspect()).warnings.slice(1), [
    'the annotation argocd.argoproj.io/manifest-generate-paths names "/libs", but nothing is at "libs"; correct or remove it',
    'the annotation argocd.argoproj.io/manifest-generate-paths names "/no/*.x", but nothing is at "no/*.x"; correct or remove it',
  ])
  fixture.write('libs/x', 'x')
  fixture.write('no/a.x', 'x')
  const found = await inspect()
  assert.deepEqual(found.warnings.slice(1), [])
  assert.deepEqual(seen(found), ['apps/web', 'libs', 'no/a.x'])
})

for (const annotation of ['../../..', '/../x', '../../../etc/passwd', 'a\\b', '*/../../../../x']) {
  test(`the path ${JSON.stringify(annotation)} is refused`, async () => {
    await using fixture = new RenderFixture(tools, files, plugins)
    await assert.rejects(inspected(fixture, annotation), {
      name: 'InvalidInputError',
      message: /^the annotation argocd\.argoproj\.io\/manifest-generate-paths: path /,
    })
  })
}

test('more paths than anybody needs are refused', async () => {
  await using fixture = new RenderFixture(tools, files, plugins)
  await assert.rejects(inspected(fixture, '.;'.repeat(300)), /lists 300 paths, more than 256/)
})

test('symlinks are inputs together with what they lead to, and change the fingerprint with it', async () => {
  await using fixture = new RenderFixture(tools, files, plugins)
  fixture.link('apps/web/lib', '../../lib')
  fixture.link('current', 'env/prod')
  const before = await inspected(fixture, '/current/x')
  assert.deepEqual(seen(before), ['apps/web', 'current', 'env/prod/x', 'lib'])
  fixture.write('lib/deep/three.libsonnet', '4')
  assert.notEqual((await inspected(fixture, '/current/x')).fingerprint, before.fingerprint)
})

test('a source whose own path is a symlink is below its inputs', async () => {
  await using fixture = new RenderFixture(tools, files, plugins)
  fixture.link('current', 'apps')
  assert.deepEqual(seen(await inspected(fixture, '.', 'current/web')), ['apps/web', 'current'])
})

test('a symlink that leaves the repository is refused by its name', async () => {
  await using fixture = new RenderFixture(tools, files, plugins)
  fixture.link('apps/web/out', '../../../outside')
  await assert.rejects(
    inspected(fixture, '.'),
    /symlink "apps\/web\/out" to ".*" leads outside the repository/,
  )
})
