import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import {
  DeadlineExceededError,
  InvalidInputError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { TemplateWorkers } from '@wadi/engines/templates/template-workers.ts'
import { repoURL } from '@wadi/application-sets/generator-fixture.ts'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { openGeneratedCache } from './generated-cache.ts'
import { startGenerationFixture } from './generation-fixture.ts'
import { createTemplateWork } from '@wadi/application-sets/templates/template-work.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'
import { processMs } from '@wadi/testing/processor-time.ts'

const destination = { name: 'in-cluster' }
const template = { metadata: { name: '{{name}}' }, spec: { project: 'p', destination } }
const list = (...names: string[]) => ({ list: { elements: names.map((name) => ({ name })) } })

test('everything that is wrong is reported at once, each with the element that made it', async () => {
  await using fixture = await startGenerationFixture()
  const generators = [list('a', 'B', 'c'), list('a', 'C_'), list('c', 'c')]
  await assert.rejects(fixture.generate({ generators, template }), (error) => {
    assert.ok(error instanceof InvalidInputError)
    const lines = error.message.split('\n')
    assert.match(
      lines[0] ?? '',
      /^spec\.generators\[0\]\.list\.elements\[1\]: Application argocd\/B: metadata\.name/,
    )
    assert.match(
      lines[1] ?? '',
      /^spec\.generators\[1\]\.list\.elements\[1\]: Application argocd\/C_: metadata\.name/,
    )
    assert.deepEqual(lines.slice(2), [
      'ApplicationSet set contains applications with duplicate name: a, from spec.generators[0].list.elements[0] and ' +
        'spec.generators[1].list.elements[0]; give them different names',
      'ApplicationSet set contains applications with duplicate name: c, from spec.generators[0].list.elements[2] and ' +
        'spec.generators[2].list.elements[0] and spec.generators[2].list.elements[1]; give them different names',
    ])
    return true
  })
})

test('of many errors as many are reported as a message carries', async () => {
  await using fixture = await startGenerationFixture()
  const names = Array.from({ length: 500 }, (_, index) => `N${index}`)
  await assert.rejects(fixture.generate({ generators: [list(...names)], template }), (error) => {
    assert.ok(error instanceof InvalidInputError)
    const lines = error.message.split('\n')
    assert.ok(error.message.length < 2_000)
    assert.equal(lines.at(-1), `and ${500 - lines.length + 1} more`)
    return true
  })
})

test('unchanged inputs give the Applications of the last run', async () => {
  await using fixture = await startGenerationFixture({ matches: { 'apps/*': ['apps/a', 'apps/b'] } })
  await fixture.addProject('p')
  const { calls, repository } = fixture
  const named = {
    goTemplate: true,
    generators: [{ git: { repoURL, directories: [{ path: 'apps/*' }] } }, { clusters: {} }],
    template: { metadata: { name: '{{ or .name .path.basename }}' }, spec: { project: 'p', destination } },
  }
  const names = async () => (await fixture.generate(named)).map(({ metadata }) => metadata.name)
  const first = await fixture.generate(named)
  assert.deepEqual(await names(), ['a', 'b', 'in-cluster'])
  assert.equal(await fixture.generate(named), first)
  const project = 'p'
  assert.deepEqual(calls, [
    `resolve HEAD ${project}`,
    'list directories apps/* -',
    `resolve HEAD ${project}`,
    `resolve HEAD ${project}`,
  ])

  calls.length = 0
  repository.revisions['HEAD'] = 'decade'
  assert.equal(await fixture.generate(named), first)
  assert.deepEqual(calls, [`resolve HEAD ${project}`, 'list directories  -'])

  repository.treeId = 'tree-2'
  repository.matches['apps/*'] = ['apps/c']
  assert.equal((await names())[0], 'a')
  repository.revisions['HEAD'] = 'facade'
  assert.deepEqual(await names(), ['c', 'in-cluster'])

  await fixture.addCluster('dev')
  assert.deepEqual(await names(), ['c', 'dev', 'in-cluster'])
  await fixture.store.delete('Secret', 'argocd', 'cluster-dev')
  assert.deepEqual(await names(), ['c', 'in-cluster'])
  assert.notEqual(
    await fixture.generate({ ...named, templatePatch: 'spec: {info: []}' }),
    await fixture.generate(named),
  )
})

test('without reuse the same Applications are generated again', async () => {
  await using fixture = await startGenerationFixture()
  await fixture.addProject('p')
  fixture.context.cache = openGeneratedCache(new Reuse('off'))
  const generate = () => fixture.generate({ generators: [list('a')], template })
  const [first, second] = [await generate(), await generate()]
  assert.notEqual(second[0], first[0])
  assert.deepEqual(second, first)
})

test('a new commit renders again what it changes and keeps the other Applications', async () => {
  await using fixture = await startGenerationFixture({
    matches: { '*.json': ['a.json', 'b.json'] },
    files: { 'a.json': '{"name":"a","v":"1"}', 'b.json': '{"name":"b","v":"1"}' },
  })
  await fixture.addProject('p')
  const { repository } = fixture
  const versioned = { metadata: { name: '{{name}}' }, spec: { project: 'p', destination, info: '{{v}}' } }
  const generators = [{ git: { repoURL, files: [{ path: '*.json' }] } }]
  const [first, second] = await fixture.generate({ generators, template: versioned })
  repository.revisions['HEAD'] = 'decade'
  repository.treeId = 'tree-2'
  repository.files['b.json'] = '{"name":"b","v":"2"}'
  const [kept, changed] = await fixture.generate({ generators, template: versioned })
  assert.equal(kept, first)
  assert.deepEqual([second?.spec?.['info'], changed?.spec?.['info']], ['1', '2'])
})

test('a repo-server that does not answer fails the call, also when the Applications are known', async () => {
  await using fixture = await startGenerationFixture({ matches: { '*': ['a'] } })
  const generators = [list('x'), { git: { repoURL, directories: [{ path: '*' }] } }]
  const goSpec = {
    generators,
    goTemplate: true,
    template: { metadata: { name: '{{ or .name .path.path }}' }, spec: { destination } },
  }
  fixture.repository.failure = new UnavailableError('the remote is away')
  const isAway = (error: unknown) =>
    error instanceof UnavailableError && error.message === 'spec.generators[1].git: the remote is away'
  await assert.rejects(fixture.generate(goSpec), isAway)
  fixture.repository.failure = undefined
  assert.equal((await fixture.generate(goSpec)).length, 2)
  fixture.repository.failure = new UnavailableError('the remote is away')
  await assert.rejects(fixture.generate(goSpec), isAway)
})

test('a failed run is not remembered', async () => {
  await using fixture = await startGenerationFixture({ matches: { '*': ['A'] } })
  const generators = [{ git: { repoURL, directories: [{ path: '*' }] } }]
  const spec = { generators, template: { metadata: { name: '{{path}}' }, spec: { destination } } }
  await assert.rejects(fixture.generate(spec), InvalidInputError)
  fixture.repository.matches['*'] = ['a']
  assert.equal((await fixture.generate(spec)).length, 1)
})

test('the annotation of webhooks asks the remote', async () => {
  await using fixture = await startGenerationFixture({ matches: { '*': ['a'] } })
  const generators = [{ git: { repoURL, directories: [{ path: '*' }] } }]
  const annotations = { 'argocd.argoproj.io/application-set-refresh': 'true' }
  await fixture.generate(
    { generators, template: { metadata: { name: '{{path}}' }, spec: { destination } } },
    { annotations },
  )
  assert.equal(fixture.calls[0], 'resolve HEAD  now')
})

test('Applications, their bytes and the time are bounded', async () => {
  await using few = await startGenerationFixture({}, { applications: 3 })
  assert.equal((await few.generate({ generators: [list('a', 'b', 'c')], template })).length, 3)
  await assert.rejects(
    few.generate({ generators: [list('a', 'b'), list('c', 'd')], template }),
    new ResourceExhaustedError(
      'ApplicationSet set: spec.generators[1]: the set generates more than 3 Applications',
    ),
  )
  await using small = await startGenerationFixture({}, { bytes: 300 })
  await assert.rejects(
    small.generate({ generators: [list('a', 'b')], template }),
    /^ResourceExhaustedError: ApplicationSet set: spec\.generators\[0\]\.list\.elements\[1\]: the Applications so far have more than 300 bytes/,
  )
  await using short = await startGenerationFixture({}, { milliseconds: 30 })
  const many = Array.from({ length: 10_000 }, (_, index) => `n${index}`)
  const slow = { metadata: { name: '{{ .name }}', annotations: { a: '{{ range until 2000 }}{{ end }}' } } }
  await assert.rejects(
    short.generate({ goTemplate: true, generators: [list(...many)], template: slow }),
    (error) =>
      error instanceof DeadlineExceededError &&
      error.message === 'ApplicationSet set: generating takes more than 30 ms; make it smaller',
  )
})

test('a text key that JavaScript knows is one like every other', async () => {
  await using fixture = await startGenerationFixture({
    matches: { 'a.json': ['a.json'] },
    files: { 'a.json': '{"name":"a","__proto__":{"constructor":"c"}}' },
  })
  const [application] = await fixture.generate({
    generators: [{ git: { repoURL, files: [{ path: 'a.json' }] } }],
    template: {
      metadata: { name: '{{name}}', annotations: { x: '{{__proto__.constructor}}{{toString}}' } },
      spec: { destination },
    },
  })
  assert.deepEqual(application?.metadata.annotations, { x: 'c{{toString}}' })
})

test('texts that take long to render end with the time of the call, wherever they stand', async () => {
  await using slow = await startGenerationFixture({}, { milliseconds: 300 })
  const loop = '{{range until 900}}{{range until 900}}{{end}}{{end}}'
  const loops = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, loop]))
  const metadata = { name: '{{ .n }}' }
  const one = { list: { elements: [{ n: 'a' }] } }
  for (const [generator, rendered] of [
    [one, { metadata: { ...metadata, annotations: loops }, spec: { destination } }],
    [{ clusters: { values: loops } }, { metadata, spec: { destination } }],
    [{ matrix: { generators: [one, { list: { elements: [loops] } }] } }, { metadata, spec: { destination } }],
    [{ matrix: { generators: [one, { clusters: { values: loops } }] } }, { metadata, spec: { destination } }],
  ]) {
    const set = { goTemplate: true, generators: [generator], template: rendered }
    const late = () => assert.rejects(slow.generate(set), DeadlineExceededError)
    assert.ok((await processMs(late)) < 10_000)
  }
})

test('what generators no longer read is no longer requested', async () => {
  const repositories = (...names: string[]) =>
    JSON.stringify(names.map((repo) => ({ repo: `https://git.example.com/${repo}.git` })))
  await using fixture = await startGenerationFixture({
    matches: { 'repos.json': ['repos.json'], '*': ['a'] },
    files: { 'repos.json': repositories('one', 'two') },
  })
  await fixture.addProject('p')
  const { calls, repository } = fixture
  const generators = [
    { git: { repoURL, files: [{ path: 'repos.json' }], pathParamPrefix: 'file' } },
    { git: { repoURL: '{{ .repo }}', directories: [{ path: '*' }] } },
  ]
  const set = {
    goTemplate: true,
    generators: [{ matrix: { generators } }],
    template: {
      metadata: { name: '{{ base .repo | trimSuffix ".git" }}' },
      spec: { project: 'p', destination },
    },
  }
  const names = async () => (await fixture.generate(set)).map(({ metadata }) => metadata.name)
  assert.deepEqual(await names(), ['one', 'two'])
  repository.revisions['HEAD'] = 'decade'
  repository.treeId = 'tree-2'
  repository.files['repos.json'] = repositories('one')
  assert.deepEqual(await names(), ['one'])
  calls.length = 0
  assert.deepEqual(await names(), ['one'])
  assert.deepEqual(calls, ['resolve HEAD p', 'resolve HEAD p'])
})

test('templates of all elements share one budget of work, and others have their turns meanwhile', async () => {
  await using fixture = await startGenerationFixture()
  const elements = Array.from({ length: 20 }, (_, index) => ({ name: `n${index}` }))
  const endless = '{{ range until 99999 }}{{ range until 9999 }}{{ end }}{{ end }}'
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  await assert.rejects(
    fixture.generate({
      goTemplate: true,
      generators: [{ list: { elements } }],
      template: { metadata: { name: '{{ .name }}', annotations: { endless } }, spec: { project: 'p' } },
    }),
    /^ResourceExhaustedError: ApplicationSet set: spec\.generators\[0\]\.list\.elements\[\d+\]: too much work: the templates of the set took 20\d\d ms of processor time; shorten their loops or make fewer elements$/,
  )
  delays.disable()
  assert.ok(delays.max < 1e9, `others waited ${delays.max / 1e6} ms`)
})

test('what the templates of one account take in a minute is bounded, others have their own time', async () => {
  await using workers = new TemplateWorkers({ threads: 1 })
  const work = createTemplateWork(workers, { generation: 60_000, parameterSet: 0, account: 1 })
  const texts = [{ path: 'a', text: '{{ range until 900 }}{{ range until 90 }}{{ end }}{{ end }}' }]
  work.requireTime('alice')
  await work.begin('alice').renderTexts({ texts, data: {} }, AbortSignal.timeout(hangLimitMs))
  assert.throws(
    () => work.requireTime('alice'),
    /^ResourceExhaustedError: the templates of your ApplicationSets took 1 ms of processor time in a minute, which is the limit; try again in \d+ s$/,
  )
  work.requireTime('bob')
})
