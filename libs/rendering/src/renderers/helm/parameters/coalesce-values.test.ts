import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { type SeededRandom, seededRandom } from '@wadi/testing/seeded-random.ts'
import { describeSource, treesOf } from '../../../run/parameters-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../../run/render-fixture.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'

const template =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values}\ndata: {values: {{ .Values | toJson | quote }}}\n'

type Values = { [key: string]: JsonValue }

const helms = [
  { name: 'the Helm that comes along', helm: undefined },
  { name: 'Helm 4.3', helm: rendererFiles.helm4 },
  { name: 'Helm 3.22', helm: rendererFiles.helm3 },
]

function skipped(helm: string | undefined): string | false {
  return helm !== undefined && renderersMissing !== undefined ? renderersMissing : false
}

async function toolsOf(helm: string | undefined) {
  return helm === undefined ? await testTools() : await findTools({ cacheDirectory: toolCache, helm })
}

function randomValues(random: SeededRandom, depth: number): Values {
  return Object.fromEntries(
    ['a', 'b', 'c'].flatMap((key): [string, JsonValue][] => {
      if (random.chance(0.25)) return []
      if (depth > 0 && random.chance(0.5)) return [[key, randomValues(random, depth - 1)]]
      return [[key, random.pick<JsonValue>([null, null, null, 1, 'x', [null, { a: null }], {}])]]
    }),
  )
}

/** Without what Helm makes up: `global`, and the empty values of subcharts. */
function plain(values: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(values)) return values
  const entries = Object.entries(values).flatMap(
    ([key, value]: [string, JsonValue]): [string, JsonValue][] => {
      if (key === 'global') return []
      if (key !== 'sub' && key !== 'deep') return [[key, value]]
      const inner = plain(value)
      return inner === undefined || (isJsonObject(inner) && Object.keys(inner).length === 0)
        ? []
        : [[key, inner]]
    },
  )
  return Object.fromEntries(entries)
}

for (const { name, helm } of helms) {
  test(`nulls at every level are explained as ${name} takes them`, { skip: skipped(helm) }, async () => {
    await using fixture = new RenderFixture(await toolsOf(helm), {})
    let differing = 0
    for (let seed = 1; seed <= 25; seed += 1) {
      const random = seededRandom(seed)
      const write = (path: string, value: unknown): void =>
        fixture.write(path, JSON.stringify(value, undefined, 1))
      for (const [path, chart, subchart] of [
        ['web', 'web', 'sub'],
        ['web/charts/sub', 'sub', 'deep'],
        ['web/charts/sub/charts/deep', 'deep', ''],
      ] as const) {
        const dependencies =
          random.chance(0.5) && subchart !== '' ? [{ name: subchart, version: '1.0.0' }] : undefined
        write(`${path}/Chart.yaml`, { apiVersion: 'v2', name: chart, version: '1.0.0', dependencies })
        const below = subchart === '' ? {} : { [subchart]: randomValues(random, 2) }
        if (subchart === 'sub') Object.assign(below['sub'] ?? {}, { deep: randomValues(random, 2) })
        write(`${path}/values.yaml`, { ...randomValues(random, 2), ...below })
      }
      fixture.write('web/templates/values.yaml', template)
      const given = random.chance(0.3)
        ? {}
        : { ...randomValues(random, 2), sub: { ...randomValues(random, 2), deep: randomValues(random, 2) } }
      write('web/given.yaml', randomValues(random, 2))
      const source = testSource('web', { helm: { valueFiles: ['given.yaml'], valuesObject: given } })
      const { manifests } = await fixture.render(source)
      const manifest: { data: { values: string } } = JSON.parse(manifests[0] ?? '')
      const [tree] = await treesOf(fixture, source)
      const explained = tree && toJson(tree.resolution.tree)
      const expected = plain(JSON.parse(manifest.data.values))
      assert.deepEqual(plain(explained), expected, `seed ${seed}`)
      for (const leaf of tree?.resolution.leaves() ?? []) assert.deepEqual(leaf.why.winner.value, leaf.value)
      if (JSON.stringify(expected).includes('null')) differing += 1
    }
    assert.ok(differing > 5)
  })
}

for (const [name, helm, missing] of [
  ['the Helm that comes along', undefined, ['token', 'security.user']],
  ['Helm 4.3', rendererFiles.helm4, ['token', 'security.fs']],
] as const) {
  test(
    `a null over a subchart's value is explained and listed as ${name} takes it`,
    { skip: skipped(helm) },
    async () => {
      await using fixture = new RenderFixture(await toolsOf(helm), {
        'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
        'web/values.yaml': 'dash: {security: {user: null}, token: null}\nlimits: null\n',
        'web/templates/values.yaml': template,
        'web/charts/dash/Chart.yaml': 'apiVersion: v2\nname: dash\nversion: 1.0.0\n',
        'web/charts/dash/values.yaml': 'security:\n  user: 472\n  group: 1\n  fs: null\ntoken: null\n',
      })
      const source = testSource('web')
      const [tree] = await treesOf(fixture, source)
      const paths = Array.from(tree?.resolution.leaves() ?? [], ({ path }) => path.join('.'))
      for (const path of missing) assert.ok(!paths.includes(`dash.${path}`), path)
      const { parameters } = await describeSource(fixture, source)
      const user = parameters.find((parameter) => parameter.name === 'dash.security.user')
      const text = helm === undefined ? undefined : { case: 'text', value: '472' }
      assert.deepEqual(user?.default?.kind, text)
    },
  )
}
