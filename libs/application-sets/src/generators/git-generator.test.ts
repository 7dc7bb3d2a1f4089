import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import {
  FailedPreconditionError,
  InvalidInputError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import { repoURL, startGeneratorFixture } from '../generator-fixture.ts'

/** More objects than one generator may make, and a file after them that is not YAML. */
const lots = Array.from({ length: 22 }, (_, index) => `lots/${index + 10}.yaml`).concat('lots/99.yaml')

/** Every form of a file without values, and the sets that each gives. */
const emptyFiles = {
  'empty/1.yaml': '',
  'empty/2.yaml': '---\n# nothing\n',
  'empty/3.yaml': 'null\n',
  'empty/4.json': '{}',
  'empty/5.yaml': '[null]\n',
  'empty/6.json': '[]',
  'empty/7.yaml': '# none\n[]\n',
  'empty/8.yaml': '[]\n---\na: 1\n',
  'empty/9.yaml': '---\n---\na: 1\n',
}

const fixture = await startGeneratorFixture({
  revisions: { HEAD: 'c0ffee', main: 'decade' },
  matches: {
    'apps/*': ['apps/a', 'apps/My_B'],
    'apps/a': ['apps/a'],
    'envs/*.json': ['envs/dev.json'],
    'list.yaml': ['list.yaml'],
    'empty.yaml': ['empty.yaml'],
    'nothing/*': [],
    'empty/*': Object.keys(emptyFiles),
    'empty/[6-8]*': ['empty/6.json', 'empty/7.yaml', 'empty/8.yaml'],
    'bad.yaml': ['bad.yaml'],
    'text.yaml': ['text.yaml'],
    'items.yaml': ['items.yaml'],
    'gone.yaml': ['gone.yaml'],
    'binary.yaml': ['binary.yaml'],
    'lots/*': lots,
    'many/*': ['many/a.yaml', 'many/b.yaml', 'many/c.yaml'],
  },
  files: {
    'envs/dev.json':
      '{"cluster":{"name":"dev","size":11223344},"tags":["x",true,null],"none":{},"path":"own"}',
    'list.yaml': '- {a: 1}\n- {a: 0.00001}\n-\n',
    'empty.yaml': '# nothing\n',
    ...emptyFiles,
    'bad.yaml': 'a: 1\nb: [\n',
    'text.yaml': 'text\n',
    'items.yaml': '- a\n',
    'binary.yaml': Uint8Array.of(0x61, 0x3a, 0x20, 0xff, 0xfe),
    ...Object.fromEntries(lots.map((file) => [file, '-\n'.repeat(480)])),
    'lots/99.yaml': 'a: [',
    'many/a.yaml': `a: ${'x'.repeat(500)}\n`,
    'many/b.yaml': `a: ${'y'.repeat(500)}\n`,
    'many/c.yaml': `a: ${'z'.repeat(500)}\n`,
  },
})
after(() => fixture[Symbol.asyncDispose]())
await fixture.addProject('team')
beforeEach(() => fixture.calls.splice(0))
const goTemplate = { goTemplate: true }

async function parameters(git: Record<string, unknown>, spec: Record<string, unknown> = {}) {
  return fixture.parameters({ git: { repoURL, ...git } }, spec)
}

async function values(git: Record<string, unknown>, spec: Record<string, unknown> = {}) {
  return (await parameters(git, spec)).map((set) => set.values)
}

test('directories give their path to the default engine', async () => {
  const git = { revision: 'main', directories: [{ path: 'apps/*' }, { path: 'apps/a', exclude: true }] }
  assert.deepEqual(await parameters(git), [
    {
      origin: 'spec.generators[0].git: directory apps/My_B',
      values: {
        path: 'apps/My_B',
        'path.basename': 'My_B',
        'path.basenameNormalized': 'my-b',
        'path[0]': 'apps',
        'path[1]': 'My_B',
      },
    },
  ])
  assert.deepEqual(fixture.calls, ['resolve main ', 'list directories apps/* -apps/a'])
})

test('directories give Go templates a map, below the prefix if there is one', async () => {
  const git = {
    directories: [{ path: 'apps/a' }],
    pathParamPrefix: 'app',
    values: { n: 'x-{{ .app.path.basename }}' },
  }
  const path = { path: 'apps/a', basename: 'a', basenameNormalized: 'a', segments: ['apps', 'a'] }
  assert.deepEqual(await values(git, goTemplate), [{ app: { path }, values: { n: 'x-a' } }])
})

test('the content of files is flat for the default engine, numbers as Go prints them, and path is the path', async () => {
  const git = { files: [{ path: 'envs/*.json' }], values: { name: '{{cluster.name}}-{{values.name}}' } }
  assert.deepEqual(await values(git), [
    {
      'cluster.name': 'dev',
      'cluster.size': '1.1223344e+07',
      'tags.0': 'x',
      'tags.1': 'true',
      'tags.2': '<nil>',
      path: 'envs',
      'path.basename': 'envs',
      'path.basenameNormalized': 'envs',
      'path.filename': 'dev.json',
      'path.filenameNormalized': 'dev.json',
      'path[0]': 'envs',
      'values.name': 'dev-{{values.name}}',
    },
  ])
  assert.deepEqual(fixture.calls, ['resolve HEAD ', 'list files envs/*.json - hidden', 'read envs/dev.json'])
})

test('the content of files keeps its structure for Go templates', async () => {
  assert.deepEqual(await values({ files: [{ path: 'envs/*.json' }] }, goTemplate), [
    {
      cluster: { name: 'dev', size: 11223344 },
      tags: ['x', true, null],
      none: {},
      path: {
        path: 'envs',
        basename: 'envs',
        basenameNormalized: 'envs',
        filename: 'dev.json',
        filenameNormalized: 'dev.json',
        segments: ['envs'],
      },
    },
  ])
})

test('a list gives a set for each object, an empty file one', async () => {
  const sets = await parameters({ files: [{ path: 'list.yaml' }, { path: 'empty.yaml' }] })
  assert.deepEqual(
    sets.map((set) => [set.origin, set.values['a'], set.values['path'], set.values['path[0]']]),
    [
      ['spec.generators[0].git: file empty.yaml', undefined, '.', '.'],
      ['spec.generators[0].git: file list.yaml[0]', '1', '.', '.'],
      ['spec.generators[0].git: file list.yaml[1]', '1e-05', '.', '.'],
      ['spec.generators[0].git: file list.yaml[2]', undefined, '.', '.'],
    ],
  )
})

test('a file with nothing in it gives its path, one with an empty list gives nothing, of several documents the first is read', async () => {
  for (const spec of [{}, goTemplate]) {
    const sets = await parameters({ files: [{ path: 'empty/*' }] }, spec)
    assert.deepEqual(
      sets.map(({ origin }) => /empty\/(\d)/.exec(origin)?.[1]),
      ['1', '2', '3', '4', '5', '9'],
    )
    assert.ok(sets.every(({ values: found }) => !('a' in found)))
  }
  assert.deepEqual(await parameters({ files: [{ path: 'empty/[6-8]*' }] }), [])
})

test('a matrix reads and parses the files of its second generator once for all rows', async () => {
  const list = { list: { elements: [{ row: '1' }, { row: '2' }] } }
  const git = { git: { repoURL, files: [{ path: 'envs/*.json' }] } }
  const sets = await fixture.parameters({ matrix: { generators: [list, git] } })
  assert.deepEqual(
    sets.map((set) => [set.values['row'], set.values['cluster.name']]),
    [
      ['1', 'dev'],
      ['2', 'dev'],
    ],
  )
  assert.deepEqual(fixture.calls, ['resolve HEAD ', 'list files envs/*.json - hidden', 'read envs/dev.json'])
})

test('directories win over files, and nothing that matches makes nothing', async () => {
  const both = { directories: [{ path: 'apps/a' }], files: [{ path: 'list.yaml' }] }
  assert.equal((await values(both)).length, 1)
  assert.deepEqual(await values({ directories: [{ path: 'nothing/*' }] }), [])
  assert.deepEqual(await values({ files: [{ path: 'nothing/*' }] }), [])
})

test('files that do not fit one answer are read in parts', async () => {
  const sets = await parameters({ files: [{ path: 'many/*' }] })
  assert.deepEqual(
    sets.map((set) => String(set.values['a']).slice(0, 1)),
    ['x', 'y', 'z'],
  )
  assert.deepEqual(fixture.calls.slice(2), [
    'read many/a.yaml,many/b.yaml,many/c.yaml',
    'read many/a.yaml,many/b.yaml',
    'read many/a.yaml',
    'read many/b.yaml',
    'read many/c.yaml',
  ])
})

test('a repository is resolved once for all generators, with the project of the template', async () => {
  const git = { git: { repoURL, directories: [{ path: 'apps/*' }] } }
  const template = { spec: { project: 'team' } }
  await fixture.parameters(git, {
    generators: [git, { matrix: { generators: [git, git] } }],
    template,
    ...goTemplate,
  })
  assert.deepEqual(fixture.calls, ['resolve HEAD team', 'list directories apps/* -'])
  await fixture.parameters(git, { template: { spec: { project: '{{path}}' } } })
  assert.equal(fixture.calls[2], 'resolve HEAD ')
})

for (const [git, message] of [
  [{}, /git: ApplicationSet is empty/],
  [
    { files: [{ path: 'bad.yaml' }] },
    /git: unable to process file 'bad\.yaml' from repository 'https:\/\/git\.example\.com\/team\/apps\.git': unable to parse file: bad\.yaml:\d/,
  ],
  [
    { files: [{ path: 'text.yaml' }] },
    /unable to parse file: text\.yaml must be an object or a list of objects/,
  ],
  [{ files: [{ path: 'items.yaml' }] }, /unable to parse file: items\.yaml\[0\] must be an object/],
  [{ files: [{ path: '[' }] }, /git: pattern "\[" is unknown/],
  [
    { files: [{ exclude: 'yes' }] },
    /git: files\[0\]\.exclude must be a boolean, not a string; files\[0\]\.path is required/,
  ],
  [{ repoURL: '' }, /git: repoURL is required/],
] as const) {
  test(`${JSON.stringify(git)} is refused`, async () => {
    await assert.rejects(
      parameters(git),
      (error) =>
        error instanceof InvalidInputError &&
        error.message.startsWith('spec.generators[0].git: ') &&
        message.test(error.message),
    )
  })
}

test('the error for a missing revision or file reveals nothing of the set', async () => {
  const missing = (message: string) => (error: unknown) =>
    error instanceof FailedPreconditionError &&
    error.message === `spec.generators[0].git: ${repoURL}: ${message}`
  await assert.rejects(
    parameters({ revision: 'none', directories: [{ path: 'apps/*' }] }),
    missing('revision "none" does not exist'),
  )
  await assert.rejects(
    parameters({ files: [{ path: 'gone.yaml' }] }),
    missing('there is no file "gone.yaml"'),
  )
})

test('a file that is not a string in UTF-8 is refused', async () => {
  await assert.rejects(
    values({ files: [{ path: 'binary.yaml' }] }),
    new InvalidInputError(
      `spec.generators[0].git: unable to process file 'binary.yaml' from repository '${repoURL}': ` +
        'unable to parse file: binary.yaml:1: byte 4 (0xff) is not UTF-8; save the file as UTF-8',
    ),
  )
})

test('objects of small files are counted before further files are read', async () => {
  await assert.rejects(values({ files: [{ path: 'lots/*' }] }), (error) => {
    return error instanceof ResourceExhaustedError && error.message.includes('more than 10000 parameter sets')
  })
})
