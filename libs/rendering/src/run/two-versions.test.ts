import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { explainSource } from '../parameters/explain/explain-source.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { bundledTool } from '@wadi/renderer-tools/bundled-tools.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { RenderFixture, testSource } from './render-fixture.ts'
import { guardForTests } from './guard-fixture.ts'

/**
 * A chart that sets a default of its dependency to null and ends a document with blank lines that belong to a text, and a kustomization that
 * labels templates and selects by a pattern: the versions differ on each.
 */
const files = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'chart/values.yaml': 'sub: {limits: null}\n',
  'chart/templates/kept.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\ndata:\n  text: |+\n    a\n\n\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: next}\n',
  'chart/charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
  'chart/charts/sub/values.yaml': 'limits: {cpu: 1}\n',
  'chart/charts/sub/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {limits: {{ .Values.limits | toJson | quote }}}\n',
  'labels/kustomization.yaml':
    'resources: [set.yaml]\nlabels: [{pairs: {team: web}, includeTemplates: true}]\n',
  'labels/set.yaml':
    'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec: {volumeClaimTemplates: [{metadata: {name: data}}]}\n',
  'pattern/kustomization.yaml': `resources: [maps.yaml]
replacements:
- source: {kind: ConfigMap, name: source, fieldPath: metadata.name}
  targets: [{select: {kind: ConfigMap, name: set.*}, fieldPaths: [data.from]}]
`,
  'pattern/maps.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: source}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {from: nowhere}\n',
}

const places = ['chart', 'labels', 'pattern']
const pinned = '{helm: 4.3.1, kustomize: 5.8.3}'

test(
  'two versions in one repository never give the result of each other, whatever the engine knows',
  { skip: renderersMissing ?? false },
  async () => {
    const [helm, kubectl] = [await bundledTool('helm', toolCache), await bundledTool('kubectl', toolCache)]
    const { helm4, kustomize } = rendererFiles
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-versions-'))
    for (const [name, program] of Object.entries({ 'helm/4.3.1': helm4, 'kustomize/5.8.3': kustomize })) {
      await mkdir(join(directory.path, name), { recursive: true })
      await symlink(program, join(directory.path, name, name.split('/')[0] ?? ''))
    }
    const own = { cacheDirectory: toolCache, helm, kubectl }
    await using fixture = new RenderFixture(
      await findTools({ ...own, toolsDirectory: directory.path }),
      files,
    )
    await using newer = new RenderFixture(
      await findTools({ cacheDirectory: toolCache, helm: helm4, kustomize }),
      files,
    )
    const bare = async (of: RenderFixture) => [
      await of.bare('helm', 'template', 'chart'),
      await of.bare('kustomize', ...(of === newer ? ['build'] : []), 'labels'),
      await of.bare('kustomize', ...(of === newer ? ['build'] : []), 'pattern'),
    ]
    const expected = { own: await bare(fixture), newer: await bare(newer) }
    for (const index of places.keys()) assert.notDeepEqual(expected.own[index], expected.newer[index])
    for (const first of ['{}', pinned]) {
      const { render, outcomes, messages } = guardForTests(fixture)
      const second = first === pinned ? '{}' : pinned
      for (const pins of [first, second, first, second]) {
        fixture.write('wadi.yaml', `tools: ${pins}\n`)
        const wanted = pins === pinned ? expected.newer : expected.own
        for (const [index, place] of places.entries())
          assert.deepEqual((await render(testSource(place))).manifests, wanted[index], `${place} ${pins}`)
        const inspection = await fixture.inspect(testSource('chart'))
        const explained = await explainSource(openDirectoryTree(fixture.directory), inspection)
        const isThere = explained.some(({ path }) => path === '.sub.limits.cpu')
        assert.equal(isThere, pins === pinned, `explained ${pins}`)
      }
      const all = 2 * places.length
      assert.deepEqual(outcomes.splice(0, all), Array(all).fill('equal'), messages.join())
      assert.deepEqual(outcomes, Array(all).fill('fast'))
    }
  },
)
