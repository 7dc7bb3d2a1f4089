import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { repoURL, startGeneratorFixture } from '../generator-fixture.ts'

const fixture = await startGeneratorFixture({
  matches: { 'dev/*': ['dev/a', 'dev/b'], 'prod/*': ['prod/c'] },
})
after(() => fixture[Symbol.asyncDispose]())
const goTemplate = { goTemplate: true }
const strict = { ...goTemplate, goTemplateOptions: ['missingkey=error'] }

type Fields = Record<string, unknown>

const list = (...elements: Fields[]): Fields => ({ list: { elements } })
const yamlList = (elementsYaml: string): Fields => ({ list: { elementsYaml } })

async function matrix(generators: Fields[], spec: Fields = {}): Promise<Fields[]> {
  return (await fixture.parameters({ matrix: { generators } }, spec)).map(({ values }) => values)
}

test('every row of the first generator meets every row of the second', async () => {
  const sets = await fixture.parameters({
    matrix: { generators: [list({ a: '1' }, { a: '2' }), list({ b: 'x' }, { b: 'y' })] },
  })
  assert.deepEqual(
    sets.map(({ values }) => `${String(values['a'])}${String(values['b'])}`),
    ['1x', '1y', '2x', '2y'],
  )
  assert.equal(
    sets[1]?.origin,
    'spec.generators[0].matrix.generators[0].list.elements[0] and ' +
      'spec.generators[0].matrix.generators[1].list.elements[1]',
  )
})

test('the second generator is rendered with each row of the first', async () => {
  const git = {
    git: { repoURL, directories: [{ path: '{{env}}/*' }], values: { at: '{{env}}-{{path.basename}}' } },
  }
  assert.deepEqual(
    (await matrix([list({ env: 'dev' }, { env: 'prod' }), git])).map((values) => values['values.at']),
    ['dev-a', 'dev-b', 'prod-c'],
  )
})

test('with Go templates a value of its own that needs an unknown one is rendered later', async () => {
  const git = {
    git: {
      repoURL,
      directories: [{ path: '{{ .env }}/*' }],
      values: { env: '{{ .env }}', at: '{{ .path.basename }}' },
    },
  }
  assert.deepEqual(
    (await matrix([list({ env: 'dev' }), git], strict)).map(({ values }) => values),
    [
      { env: 'dev', at: 'a' },
      { env: 'dev', at: 'b' },
    ],
  )
})

test('other keys that are not known obey goTemplateOptions', async () => {
  const generators = [list({ env: 'dev' }), list({ b: '{{ .absent }}' })]
  assert.deepEqual(await matrix(generators, goTemplate), [{ env: 'dev', b: '<no value>' }])
  await assert.rejects(
    matrix(generators, strict),
    /^InvalidInputError: spec\.generators\[0\]\.matrix\.generators\[1\]\.list\.elements\[0\]\.b: failed to execute go template/,
  )
})

test('keys of maps are rendered, selectors are not', async () => {
  const second = {
    ...list({ '{{env}}': 'x', kept: '{{env}}' }),
    selector: { matchLabels: { kept: '{{env}}' } },
  }
  assert.deepEqual(await matrix([list({ env: 'dev' }), second]), [])
  const matching = { ...second, selector: { matchLabels: { kept: 'dev' } } }
  assert.deepEqual(await matrix([list({ env: 'dev' }), matching]), [{ env: 'dev', dev: 'x', kept: 'dev' }])
})

test('the default engine makes texts of all values and wants equal ones for equal keys', async () => {
  const first = yamlList('[{a: 1000000, b: {z: 1, a: q}, c: [1, x], d: null}]')
  assert.deepEqual(await matrix([first, list({ a: '1e+06', e: 'f' })]), [
    { a: '1e+06', b: 'map[a:q z:1]', c: '[1 x]', d: '<nil>', e: 'f' },
  ])
  await assert.rejects(
    matrix([list({ a: 'x' }), list({ a: 'y' })]),
    new InvalidInputError(
      'spec.generators[0].matrix.generators[0].list.elements[0] and ' +
        'spec.generators[0].matrix.generators[1].list.elements[0]: ' +
        'found duplicate key a with different value, a: x ,b: y',
    ),
  )
})

test('Go templates get maps merged, where the first generator wins even with nothing', async () => {
  const first = list({ m: { a: '', b: null, c: false, d: [1] }, s: 'first' })
  const second = list({ m: { a: 'x', b: 'x', c: true, d: [2, 3], e: 'x' }, s: { deep: true } }, { m: 'text' })
  assert.deepEqual(await matrix([first, second], goTemplate), [
    { m: { a: '', b: null, c: false, d: [1], e: 'x' }, s: 'first' },
    { m: { a: '', b: null, c: false, d: [1] }, s: 'first' },
  ])
})

test('more than two generators and any nesting work, each sees what is before it', async () => {
  const third = list({ c: '{{a}}{{b}}' })
  assert.deepEqual(await matrix([list({ a: '1' }), list({ b: '{{a}}2' }), third]), [
    { a: '1', b: '12', c: '112' },
  ])
  const nested = (inner: Fields): Fields => ({ matrix: { generators: [list({ x: 'x' }), inner] } })
  assert.deepEqual(await matrix([list({ a: '1' }), nested(nested(nested(list({ b: '{{a}}' }))))]), [
    { a: '1', x: 'x', b: '1' },
  ])
})

test('with Go templates too a matrix inside of another one sees what is before both', async () => {
  const git = {
    git: { repoURL, directories: [{ path: '{{ .env }}/*' }], values: { at: '{{ .path.basename }}' } },
  }
  const inner = {
    matrix: { generators: [git, list({ c: '{{ .env }}:{{ .path.basename }}:{{ .values.at }}' })] },
  }
  assert.deepEqual(
    (await matrix([list({ env: 'dev' }, { env: 'prod' }), inner], strict)).map(({ c }) => c),
    ['dev:a:a', 'dev:b:b', 'prod:c:c'],
  )
  const merge = {
    merge: { mergeKeys: ['{{ .key }}'], generators: [list({ n: '{{ .env }}' }), list({ n: 'dev', m: 1 })] },
  }
  assert.deepEqual(await matrix([list({ env: 'dev', key: 'n' }), merge], strict), [
    { env: 'dev', key: 'n', n: 'dev', m: 1 },
  ])
})

test('an unknown key is reported with the generator, the text and the row that lacks it', async () => {
  await assert.rejects(
    matrix([list({ env: 'dev' }), { git: { repoURL, directories: [{ path: '{{ .absent }}/*' }] } }], strict),
    (error) =>
      error instanceof InvalidInputError &&
      error.message.startsWith(
        'spec.generators[0].matrix.generators[1].git.directories[0].path: failed to',
      ) &&
      error.message.endsWith(
        'map has no entry for key "absent" (with the values of spec.generators[0].matrix.generators[0].list.elements[0])',
      ),
  )
})

test('rows share nothing that changes, so that each is merged on its own', async () => {
  const first = list({ n: 1, m: { own: 1 } }, { n: 2, m: { own: 2 } }, { n: 3 })
  assert.deepEqual(await matrix([first, list({ m: { base: true } })], goTemplate), [
    { n: 1, m: { base: true, own: 1 } },
    { n: 2, m: { base: true, own: 2 } },
    { n: 3, m: { base: true } },
  ])
})

test('an empty row puts nothing into the next generator', async () => {
  assert.deepEqual(await matrix([list({}), list({ b: '{{ .absent }}' })], strict), [{ b: '{{ .absent }}' }])
})

test('maps of texts stay such maps where both sides are', async () => {
  await using other = await startGeneratorFixture({ matches: { 'apps/*': ['apps/a'] } })
  await other.addCluster('c', { labels: { env: 'dev' } })
  await other.addProject('p')
  const clusters = { clusters: { selector: { matchLabels: { env: 'dev' } }, values: { a: '1' } } }
  const git = { git: { repoURL, directories: [{ path: 'apps/*' }], values: { b: '2' } } }
  const name = '{{ .values.a }}{{ .values.b }}{{ .values.absent }}{{ .metadata.labels.absent }}'
  const spec = {
    goTemplate: true,
    goTemplateOptions: ['missingkey=zero'],
    generators: [{ matrix: { generators: [clusters, git] } }],
    template: {
      metadata: { name: `x${name}` },
      spec: { project: 'p', destination: { name: '{{ .name }}' } },
    },
  }
  assert.deepEqual(
    (await other.generate(spec)).map(({ metadata }) => metadata.name),
    ['x12'],
  )
})

test('elements may be made of what the first generator found', async () => {
  const first = list({ items: [{ n: 'a' }, { n: 'b' }] })
  assert.deepEqual(
    (await matrix([first, yamlList('{{ .items | toJson }}')], goTemplate)).map(({ n }) => n),
    ['a', 'b'],
  )
})

for (const [generators, message] of [
  [[list({ a: '1' })], /matrix: found less than two generators/],
  [
    [list({ a: '1' }), {}],
    /matrix\.generators\[1\] names no generator: child generator generated no parameters$/,
  ],
  [
    [list({ a: '1' }), { ...list(), ...yamlList(''), clusters: {} }],
    /generators\[1\]: found more than one generator in matrix\.Generators$/,
  ],
  ['text', /matrix: generators must be a list, not a string/],
] as const) {
  test(`${JSON.stringify(generators)} is refused`, async () => {
    await assert.rejects(
      fixture.parameters({ matrix: { generators } }),
      (error) =>
        error instanceof InvalidInputError &&
        error.message.startsWith('spec.generators[0].matrix') &&
        message.test(error.message),
    )
  })
}

test('a matrix that grows too large is refused', async () => {
  const many = (key: string, count: number) =>
    list(...Array.from({ length: count }, (_, index) => ({ [key]: `${index}` })))
  await assert.rejects(
    matrix([many('a', 3_000), many('b', 3_000)]),
    /^ResourceExhaustedError: spec\.generators\[0\]\.matrix: a generator makes 3000 × 3000 parameter sets, more than 10000; narrow it down$/,
  )
  const rendered = list(...Array.from({ length: 100 }, (_, index) => ({ b: `{{a}}${index}` })))
  await assert.rejects(
    matrix([many('a', 101), rendered]),
    /^ResourceExhaustedError: .*generators\[1\]\.list\.elements\[0\]: a generator makes more than 10000 parameter sets/,
  )
  const large = list({ text: 'x'.repeat(100_000) })
  await assert.rejects(
    matrix([large, many('b', 700)]),
    /the parameters have more than 67108864 bytes together/,
  )
})
