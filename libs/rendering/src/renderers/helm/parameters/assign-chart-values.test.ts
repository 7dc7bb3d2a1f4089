import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FailedPreconditionError, InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { changesOf, describeSource, editSource } from '../../../run/parameters-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../../run/render-fixture.ts'

const tools = await testTools()
const source = testSource('web')
const file = 'web/.argocd-source.yaml'

const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/values.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: values}\ndata: {values: {{ .Values | toJson | quote }}}\n',
}

const values = `hosts: [a.example.com, b.example.com]
env:
- {name: A, value: "1"}
- {name: B, value: "2"}
annotations: {x: "true", example.com/a: b}
tag: "1.0"
replicas: 1
ratio: 0.25
ports: [80, 443]
weights: [0.5, 1]
on: false
nothing: null
sizes: {}
image: {tag: "1", pullPolicy: Always}
sidecar: {tag: "2"}
`

async function seen(fixture: RenderFixture): Promise<{ [key: string]: JsonValue }> {
  const { manifests } = await fixture.render(source)
  const manifest: { data: { values: string } } = JSON.parse(manifests[0] ?? '')
  return JSON.parse(manifest.data.values)
}

/** Returns the values that the chart sees after changes one after another, the file's text then, and their problems. */
async function changed(text: string, ...edits: readonly (readonly string[])[]) {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'web/values.yaml': values,
    ...(text !== '' && { [file]: text }),
  })
  const before = await seen(fixture)
  const problems: string[] = []
  for (const words of edits) {
    const result = await editSource(fixture, source, changesOf(...words))
    problems.push(...result.problems)
    fixture.write(file, result.after)
  }
  const after = await seen(fixture)
  const parts = Object.keys({ ...before, ...after }).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  return { is: Object.fromEntries(parts.map((key) => [key, after[key]])), problems }
}

for (const [words, is] of [
  [['hosts[0]=x'], { hosts: ['x', 'b.example.com'] }],
  [['hosts[2]=x'], { hosts: ['a.example.com', 'b.example.com', 'x'] }],
  [['hosts[1]=5', 'hosts[0]=true'], { hosts: ['true', '5'] }],
  [
    ['env[1].value=3'],
    {
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '3' },
      ],
    },
  ],
  [
    ['env[0].extra=3'],
    {
      env: [
        { name: 'A', value: '1', extra: 3 },
        { name: 'B', value: '2' },
      ],
    },
  ],
  [['annotations.x=false'], { annotations: { x: 'false', 'example.com/a': 'b' } }],
  [[String.raw`annotations.example\.com/a=7`], { annotations: { x: 'true', 'example.com/a': '7' } }],
  [['tag=2'], { tag: '2' }],
  [['tag=null'], { tag: 'null' }],
  [[String.raw`tag=a\b,{c}`], { tag: String.raw`a\b,{c}` }],
  [['tag={a,b}'], { tag: '{a,b}' }],
  [['tag=v2'], { tag: 'v2' }],
  [['replicas=3'], { replicas: 3 }],
  [['replicas=1e3'], { replicas: 1000 }],
  [['ratio=0.5'], { ratio: 0.5 }],
  [['ports[1]=8443'], { ports: [80, 8443] }],
  [['weights[1]=0.75'], { weights: [0.5, 0.75] }],
  [['hosts={x,1}'], { hosts: ['x', '1'] }],
  [['hosts=[]'], { hosts: [] }],
  [['hosts=null'], { hosts: undefined }],
  [['on=true'], { on: true }],
  [['nothing=1'], { nothing: 1 }],
  [['sizes.a=1'], { sizes: { a: 1 } }],
] as const) {
  test(`${words.join(' ')} changes that alone, and its type stays`, async () => {
    assert.deepEqual(await changed('', words), { is, problems: [] })
  })
}

for (const [name, text, edits, is] of [
  ['of a list again', '', [['hosts[0]=x'], ['hosts[1]=y']], { hosts: ['x', 'y'] }],
  [
    'of a list to the default',
    '',
    [['hosts[0]=x', 'hosts[1]=y'], ['hosts[0]-']],
    { hosts: ['a.example.com', 'y'] },
  ],
  [
    'of a list, all of it',
    '',
    [
      ['hosts[0]=x', 'hosts[1]=y'],
      ['hosts[0]-', 'hosts[1]-'],
    ],
    {},
  ],
  ['behind the list', '', [['hosts[2]=x'], ['hosts[2]-']], {}],
  ['with a fraction', '', [['ratio=0.5'], ['ratio-']], {}],
  ['with a fraction, then none', '', [['ratio=0.5'], ['ratio=2']], { ratio: 2 }],
  [
    'of a list in values',
    'helm:\n  values: |\n    hosts: [p, q] # ours\n',
    [['hosts[1]=x'], ['ratio=0.75']],
    { hosts: ['p', 'x'], ratio: 0.75 },
  ],
  [
    'of parameters that held the whole list',
    "helm:\n  parameters:\n  - {name: 'hosts[0]', value: p}\n  - {name: 'hosts[1]', value: q}\n",
    [['hosts[0]-']],
    { hosts: ['a.example.com', 'q'] },
  ],
] as const) {
  test(`an item ${name} is set and unset beside the others`, async () => {
    assert.deepEqual((await changed(text, ...edits)).is, is)
  })
}

for (const [word, error, message] of [
  ['hosts[5]=x', InvalidInputError, /^hosts\[5\] is beyond the list, which has 2 items; set \[2\] first/],
  [
    'hosts=x',
    InvalidInputError,
    /^hosts is a list of the chart; set an item as hosts\[0\], or all as \{a,b\}/,
  ],
  ['image=x', InvalidInputError, /^image is an object of the chart; set its values one by one/],
  ['tag.x=1', InvalidInputError, /^tag\.x: tag is a single value of the chart/],
  ['image[0]=1', InvalidInputError, /^image\[0\]: image is an object of the chart/],
  ['hosts[0]-', NotFoundError, /^hosts\[0\] is not set by helm\.parameters/],
] as const) {
  test(`${word} is refused`, async () => {
    await assert.rejects(changed('', [word]), (thrown) => {
      assert.ok(thrown instanceof error)
      assert.match(thrown.message, message)
      return true
    })
  })
}

for (const [word, problems] of [
  ['replcias=3', ['replcias: the chart has no such value; did you mean replicas?']],
  [
    'image.pullpolicy=Never',
    ['image.pullpolicy: the chart has no such value; did you mean image.pullPolicy?'],
  ],
  ['pullPolicy=Never', ['pullPolicy: the chart has no such value; did you mean image.pullPolicy?']],
  ['global.tag=1', []],
  ['other.thing=1', []],
] as const) {
  test(`${word} has ${problems.length === 0 ? 'no problem' : 'the problem of a name that is almost one'}`, async () => {
    assert.deepEqual((await changed('', [word])).problems, problems)
  })
}

test('a text of values that cannot be edited is left to a person', async () => {
  const text = 'helm:\n  values: |\n    a: &a {b: 1}\n    <<: *a\n'
  await assert.rejects(
    changed(text, ['ratio=0.5'], ['a.b=0.75']),
    (error) => error instanceof FailedPreconditionError || error instanceof InvalidInputError,
  )
})

test('the type of a value that the chart leaves open is that of its schema', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'web/values.yaml': 'version:\nlist: []\n',
    'web/values.schema.json': manifestToJson({
      properties: {
        version: { type: ['string', 'null'] },
        list: { items: { properties: { port: { type: 'string' } } } },
      },
    }),
  })
  const { after } = await editSource(fixture, source, changesOf('version=2', 'list[0].port=80'))
  fixture.write(file, after)
  assert.deepEqual(await seen(fixture), { version: '2', list: [{ port: '80' }] })
})

test('an empty list or object takes YAML, and a string stays one where the schema allows it', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'web/values.yaml': 'resources: {}\nlist: []\nother: 1\nport: "80"\n',
    'web/values.schema.json': manifestToJson({
      properties: { port: { $ref: '#/$defs/port' } },
      $defs: { port: { type: ['integer', 'string'] } },
    }),
  })
  const edit = changesOf('resources=limits: {cpu: 100m}', 'list=- name: a\n  value: "1"\n- b', 'port=8080')
  const { after } = await editSource(fixture, source, edit)
  fixture.write(file, after)
  assert.deepEqual(await seen(fixture), {
    resources: { limits: { cpu: '100m' } },
    list: [{ name: 'a', value: '1' }, 'b'],
    other: 1,
    port: '8080',
  })
})

function randomValue(next: (below: number) => number, depth: number): JsonValue {
  const scalars: JsonValue[] = ['text', '1.0', 'true', '07', 'a,b', '', 1, 0, 12.5, true, false, null]
  const kind = next(depth === 0 ? 4 : 7)
  if (kind < 4) return scalars[next(scalars.length)] ?? null
  if (kind === 4) return Array.from({ length: 1 + next(3) }, () => randomValue(next, depth - 1))
  return randomValues(next, depth - 1)
}

function randomValues(next: (below: number) => number, depth: number): { [key: string]: JsonValue } {
  const keys = ['a', 'b.c', 'd', 'e-f'].filter(() => next(3) > 0)
  return Object.fromEntries(keys.map((key) => [key, randomValue(next, depth)]))
}

/** The values by the names of their leaves. */
function leaves(value: JsonValue | undefined, name = ''): Map<string, JsonValue> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return new Map(value === undefined ? [] : [[name, value]])
  }
  const isList = Array.isArray(value)
  return new Map(
    Object.entries(value).flatMap(([key, member]: [string, JsonValue]) => {
      const step = isList ? `[${key}]` : `${name === '' ? '' : '.'}${key.replaceAll('.', String.raw`\.`)}`
      return [...leaves(member, `${name}${step}`)]
    }),
  )
}

test('one parameter changes one value of any chart', async () => {
  const random = seededRandom(9)
  const next = (below: number): number => random.below(below)
  for (let round = 0; round < 6; round += 1) {
    const own = randomValues(next, 3)
    await using fixture = new RenderFixture(tools, { ...chart, 'web/values.yaml': manifestToJson(own) })
    if (next(2) === 0)
      fixture.write(file, `helm:\n  valuesObject: ${manifestToJson(randomValues(next, 2))}\n`)
    for (let step = 0; step < 5; step += 1) {
      const before = leaves(await seen(fixture))
      const { parameters } = await describeSource(fixture, source)
      const listed = parameters.filter(({ name = '', group }) => group === 'values' && before.has(name))
      const parameter = listed[next(listed.length)]
      const { name = '', type = '' } = parameter ?? {}
      const was = before.get(name)
      if (parameter === undefined || typeof was === 'object') continue
      // Where the chart has a list or an object, or nothing, what is set over it says the type.
      const kind: string = typeof was === type ? type : 'string'
      const choices = kind === 'number' ? ['7', '2.5'] : kind === 'boolean' ? ['true', 'false'] : ['9', 'a,b']
      const text = random.pick(type === kind ? choices : ['x9'])
      const to = kind === 'number' ? Number(text) : kind === 'boolean' ? text === 'true' : text
      const { after } = await editSource(fixture, source, changesOf(`${name}=${text}`))
      fixture.write(file, after)
      const expected = new Map(before).set(name, to)
      assert.deepEqual([round, name, text, leaves(await seen(fixture))], [round, name, text, expected], after)
    }
  }
})
