import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundledTool } from '../sandbox/bundled-tools.ts'
import { findTools } from '../sandbox/find-tools.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { RenderFixture, testSource } from '../render-fixture.ts'
import { guardForTests } from './guard-fixture.ts'

/** A chart that sets a default of its dependency to null, and a kustomization that labels templates: the versions differ on both. */
const files = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'chart/values.yaml': 'sub: {limits: null}\n',
  'chart/charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
  'chart/charts/sub/values.yaml': 'limits: {cpu: 1}\n',
  'chart/charts/sub/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {limits: {{ .Values.limits | toJson | quote }}}\n',
  'overlay/kustomization.yaml':
    'resources: [set.yaml]\nlabels: [{pairs: {team: web}, includeTemplates: true}]\n',
  'overlay/set.yaml':
    'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec: {volumeClaimTemplates: [{metadata: {name: data}}]}\n',
}

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
      await of.bare('kustomize', ...(of === newer ? ['build'] : []), 'overlay'),
    ]
    const expected = { own: await bare(fixture), newer: await bare(newer) }
    assert.notDeepEqual(expected.own[0], expected.newer[0])
    assert.notDeepEqual(expected.own[1], expected.newer[1])
    const { render, outcomes } = guardForTests(fixture)
    const rendered = async () => [
      (await render(testSource('chart'))).manifests,
      (await render(testSource('overlay'))).manifests,
    ]
    for (const pins of ['{}', '{helm: 4.3.1, kustomize: 5.8.3}', '{}', '{helm: 4.3.1, kustomize: 5.8.3}']) {
      fixture.write('wadi.yaml', `tools: ${pins}\n`)
      assert.deepEqual(await rendered(), pins === '{}' ? expected.own : expected.newer, pins)
    }
    assert.ok(outcomes.includes('equal') && outcomes.includes('fast'), outcomes.join())
  },
)
