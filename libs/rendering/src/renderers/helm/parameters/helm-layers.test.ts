import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { RenderFixture, testSource, testTools } from '../../../run/render-fixture.ts'
import type { HelmOptions } from '../helm-option-schema.ts'
import type { RenderSource } from '../../../source/source.ts'
import { treesOf } from '../../../run/parameters-fixture.ts'

const tools = await testTools()

const chart = 'apiVersion: v2\nname: web\nversion: 1.0.0\n'
const subchart = 'apiVersion: v2\nname: sub\nversion: 1.0.0\n'
const template =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values}\ndata: {values: {{ .Values | toJson | quote }}}\n'

/** The values that templates of the chart see, as Helm gives them; those that it makes up for subcharts are taken away. */
async function valuesOfHelm(fixture: RenderFixture, source: RenderSource): Promise<unknown> {
  const { manifests } = await fixture.render(source)
  const manifest: unknown = JSON.parse(manifests[0] ?? '')
  const data = isJsonObject(manifest) ? manifest['data'] : undefined
  const text = isJsonObject(data) ? data['values'] : undefined
  const values: unknown = JSON.parse(typeof text === 'string' ? text : '')
  if (isJsonObject(values)) {
    for (const name of ['global', 'sub']) {
      const part = values[name]
      if (name === 'sub' && isJsonObject(part)) delete part['global']
      if (isJsonObject(part) && Object.keys(part).length === 0) delete values[name]
    }
  }
  return values
}

async function valuesOfTree(fixture: RenderFixture, source: RenderSource): Promise<unknown> {
  const [tree] = await treesOf(fixture, source)
  assert.equal(tree?.name, 'values of chart "web"')
  const values = toJson(tree.resolution.tree)
  if (isJsonObject(values)) {
    for (const name of ['global', 'sub']) {
      const part = values[name]
      if (isJsonObject(part) && Object.keys(part).length === 0) delete values[name]
    }
  }
  return values
}

/** Numbers that are always the same. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function randomTree(next: (below: number) => number, depth: number): { [key: string]: JsonValue } {
  const entries = ['a', 'b', 'c', 'd.e'].flatMap((key): [string, JsonValue][] => {
    const kind = next(9)
    if (kind < 2) return []
    if (kind < 5 && depth > 0) return [[key, randomTree(next, depth - 1)]]
    const scalars: JsonValue[] = [null, null, true, next(100), `text ${next(10)}`, [1, { x: null }], '']
    return [[key, scalars[next(scalars.length)] ?? null]]
  })
  return Object.fromEntries(entries)
}

const settings: NonNullable<HelmOptions['parameters']> = [
  { name: 'new.list[1].name', value: 'one' },
  { name: 'new.list[0]', value: 'null' },
  { name: 'new.list[1].port', value: '80' },
  { name: String.raw`new.d\.e`, value: 'yes, no' },
  { name: 'new.items', value: '{1,true,a b}' },
  { name: 'new.none', value: '{}' },
  { name: 'new.text', value: '0123' },
  { name: 'new.number', value: '-12' },
  { name: 'new.number', value: '12', forceString: true },
  { name: 'new.flag', value: 'False' },
  { name: 'new.nothing', value: 'null' },
  { name: 'a', value: 'null' },
  { name: 'sub.a', value: 'null' },
  { name: 'list[0]', value: 'first' },
]

test('the values that are explained are those that Helm gives to templates, whatever is set', async () => {
  await using fixture = new RenderFixture(tools, {
    'web/Chart.yaml': chart,
    'web/templates/values.yaml': template,
    'web/charts/sub/Chart.yaml': subchart,
    'web/file.txt': 'of a file\n',
  })
  let withNulls = 0
  for (let seed = 1; seed <= 40; seed += 1) {
    const next = numbersFrom(seed)
    const write = (path: string, value: unknown): void =>
      fixture.write(path, JSON.stringify(value, undefined, 1))
    write('web/charts/sub/values.yaml', randomTree(next, 2))
    write('web/values.yaml', { ...randomTree(next, 2), sub: randomTree(next, 2), list: ['x', 'y'] })
    write('env/one.yaml', { ...randomTree(next, 2), ...(next(2) === 0 && { list: [1, 2] }) })
    write('env/two.yaml', { ...randomTree(next, 2), sub: randomTree(next, 2) })
    const parameters = settings.filter(() => next(2) === 0)
    const inline = randomTree(next, 2)
    const helm: HelmOptions = {
      valueFiles: ['../env/one.yaml', '../env/two.yaml'].slice(next(3)),
      ...(next(2) === 0 ? { values: JSON.stringify(inline) } : { valuesObject: inline }),
      parameters,
      fileParameters: next(2) === 0 ? [{ name: 'new.file', path: 'file.txt' }] : [],
    }
    const source = testSource('web', { helm })
    const expected = await valuesOfHelm(fixture, source)
    assert.deepEqual(await valuesOfTree(fixture, source), expected, `seed ${seed}: ${JSON.stringify(helm)}`)
    if (JSON.stringify(expected).includes('null')) withNulls += 1
  }
  assert.ok(withNulls > 10)
})

const corpus = join(import.meta.dirname, '../../../../../../../shared/corpus/charts')

test(
  'the values of public charts are explained as Helm gives them',
  { skip: existsSync(corpus) ? false : 'the corpus is not here' },
  async () => {
    let compared = 0
    for (const name of readdirSync(corpus)) {
      if (!existsSync(join(corpus, name, 'values.yaml'))) continue
      await using fixture = new RenderFixture(tools, {})
      cpSync(join(corpus, name), join(fixture.directory, 'web'), { recursive: true })
      for (const gone of ['templates', 'values.schema.json', 'charts']) {
        rmSync(join(fixture.directory, 'web', gone), { recursive: true, force: true })
      }
      fixture.write('web/Chart.yaml', chart)
      fixture.write('web/templates/values.yaml', template)
      const helm = {
        valuesObject: { image: { tag: 'x', repository: null } },
        parameters: [{ name: 'podAnnotations.a', value: 'b' }],
      }
      const source = testSource('web', { helm })
      assert.deepEqual(await valuesOfTree(fixture, source), await valuesOfHelm(fixture, source), name)
      compared += 1
    }
    assert.ok(compared >= 5)
  },
)
