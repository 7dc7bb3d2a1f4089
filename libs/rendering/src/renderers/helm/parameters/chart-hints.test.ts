import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools } from '../../../run/render-fixture.ts'
import { describeSource } from '../../../run/parameters-fixture.ts'

const tools = await testTools()
const chart = { 'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' }
const source = testSource('web')

/** Describes the values of a chart with a schema, as text or as an object. */
async function described(values: string, schema: unknown, more: Record<string, string> = {}) {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema)
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'web/values.yaml': values,
    'web/values.schema.json': text,
    ...more,
  })
  const { parameters, sections = [], warnings } = await describeSource(fixture, source)
  const listed = parameters.filter(({ group }) => group === 'values')
  return { listed, sections, warnings, of: (name: string) => listed.find((one) => one.name === name) }
}

test('a value has the type, choices, limits and description of the schema, and a comment where that has none', async () => {
  const { of, sections, warnings } = await described(
    '# -- The image\nimage:\n  # -- When it is pulled\n  pullPolicy: Always\nreplicas: 2\n# Where it answers\nport: 80\n',
    {
      properties: {
        image: { properties: { pullPolicy: { enum: ['Always', 'Never'] } } },
        replicas: { type: 'integer', minimum: 1, description: 'Pods' },
      },
    },
  )
  assert.deepEqual(warnings, [])
  const { type, options, tooltip } = of('image.pullPolicy') ?? {}
  assert.deepEqual([type, options, tooltip], ['enum', ['Always', 'Never'], 'When it is pulled'])
  assert.deepEqual(of('replicas')?.limits, { wholeNumber: true, minimum: 1 })
  assert.deepEqual([of('replicas')?.tooltip, of('port')?.tooltip], ['Pods', 'Where it answers'])
  assert.deepEqual(sections, [{ name: 'image', tooltip: 'The image' }])
})

test('values that only the schema has are listed, required ones are marked, and recursion ends', async () => {
  const { listed, of } = await described('name: ~\nresources: {}\n', {
    $defs: {
      tree: { properties: { below: { $ref: '#/$defs/tree' }, leaf: { type: 'string', default: 'x' } } },
    },
    required: ['name', 'zone'],
    properties: {
      name: { type: ['string', 'null'] },
      zone: { type: 'string' },
      resources: { properties: { cpu: { type: 'string' } } },
      tree: { $ref: '#/$defs/tree' },
    },
  })
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['name', 'resources.cpu', 'zone', 'tree.below', 'tree.leaf'],
  )
  assert.ok(listed.every(({ announced }) => announced))
  assert.deepEqual(
    [of('name')?.required, of('zone')?.required, of('resources.cpu')?.required],
    [true, true, undefined],
  )
  assert.equal(of('tree.leaf')?.suggestion, 'x')
})

test('what the schema has against the present values is shown at these', async () => {
  const { of, warnings } = await described('replicas: 0\nimage: {}\n', {
    properties: {
      replicas: { minimum: 1 },
      image: { required: ['tag'], properties: { tag: {}, other: {} } },
    },
  })
  assert.equal(of('replicas')?.problems?.length, 1)
  assert.match(of('replicas')?.problems?.[0] ?? '', /1/)
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /^image: .*tag/)
})

test('a subchart brings its own schema and comments', async () => {
  const { of } = await described(
    'inner: {size: 2}\n',
    {},
    {
      'web/charts/inner/Chart.yaml': 'apiVersion: v2\nname: inner\nversion: 1.0.0\n',
      'web/charts/inner/values.yaml': '## @param size [number] How large\nsize: 1\n# Where\nport: 1\n',
      'web/charts/inner/values.schema.json': '{"properties": {"size": {"maximum": 5}}}',
    },
  )
  assert.deepEqual(of('inner.size')?.limits, { maximum: 5 })
  assert.deepEqual([of('inner.size')?.tooltip, of('inner.port')?.tooltip], ['How large', 'Where'])
})

for (const [what, schema, warning] of [
  [
    'text that is not JSON',
    '{',
    /^the form does without the chart's schema: .*values\.schema\.json.*not JSON/,
  ],
  [
    'a keyword of a wrong type',
    { properties: [] },
    /^the values are not checked here: .*invalid JSON schema/,
  ],
  [
    'a reference to another file',
    { properties: { a: { $ref: 'file:///etc/passwd' } } },
    /leads out of the schema/,
  ],
  ['more than 4 MiB', JSON.stringify({ description: 'x'.repeat(4 * 1024 * 1024) }), /^the form does without/],
  ['references without end', { $ref: '#' }, /^the values are not checked here: /],
] as const) {
  test(`a schema that is wrong leaves a form with a warning: ${what}`, async () => {
    const { listed, warnings } = await described('a: 1\n', schema)
    assert.deepEqual(
      listed.map(({ name, type }) => [name, type]),
      [['a', 'number']],
    )
    assert.equal(warnings.length, 1, warnings.join('\n'))
    assert.match(warnings[0] ?? '', warning)
  })
}

test('a schema of 2 MB, hostile patterns and very long texts leave a form of bounded size', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 6000 }, (_, index) => [
      `v${index}`,
      { type: 'string', pattern: '^(a+)+$', description: 'd'.repeat(index === 0 ? 60_000 : 300) },
    ]),
  )
  const { listed, of, warnings } = await described(`v0: ${'a'.repeat(40)}!\n`, { properties })
  assert.equal(listed.length, 2001)
  assert.equal(of('v0')?.tooltip?.length, 2001)
  assert.deepEqual(of('v1')?.limits, { pattern: '^(a+)+$' })
  assert.ok(warnings.every((warning) => warning.length < 500))
})

/** Returns the files of subcharts with schemas. */
function subcharts(count: number, schema: unknown): Record<string, string> {
  const names = Array.from({ length: count }, (_, index) => `sub${index}`)
  return Object.fromEntries(
    names.flatMap((name) => [
      [`web/charts/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`],
      [`web/charts/${name}/values.yaml`, `text: ${'a'.repeat(60)}!\n`],
      [`web/charts/${name}/values.schema.json`, JSON.stringify(schema)],
    ]),
  )
}

test('the schemas of a chart and its subcharts are read up to 8 MiB together', async () => {
  const schema = { properties: { text: { maxLength: 99 } }, description: 'x'.repeat(3 * 1024 * 1024) }
  const { listed, warnings } = await described('a: 1\n', {}, subcharts(24, schema))
  assert.equal(listed.filter(({ limits }) => limits?.maxLength === 99).length, 2)
  const left = warnings.filter((warning) => warning.includes('have more than 8388608 bytes'))
  assert.equal(left.length, 20)
  assert.match(warnings.join('\n'), /charts\/sub\d+\/values\.schema\.json.*\n.*and 2 more/)
})

test('the checks of a chart and its subcharts share a second of a processor', async () => {
  const patterns = Array.from({ length: 300 }, (_, index) => [
    `v${index}`,
    { pattern: `^(a|b){900}${index}$` },
  ])
  const schema = { properties: { text: { maxLength: 5 }, ...Object.fromEntries(patterns) } }
  const { listed, warnings } = await described('a: 1\n', {}, subcharts(60, schema))
  const checked = listed.filter(({ problems = [] }) => problems.length > 0).length
  assert.ok(checked < 30, `${checked} of 60`)
  assert.match(warnings.join('\n'), /longer than \d+ ms/)
})
