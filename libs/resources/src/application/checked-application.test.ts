import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkedApplication } from './checked-application.ts'

const drySource = { repoURL: 'https://git.example.com/dry.git', targetRevision: 'main', path: 'apps/web' }
const syncSource = { targetBranch: 'env/dev', path: 'web' }
const destination = { server: 'https://cluster.example.com', namespace: 'web' }

/** The errors of an Application, without its name in front. */
function errorsOf(spec: Record<string, unknown>): string[] {
  try {
    checkedApplication({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'web' },
      spec: { destination, ...spec },
    })
  } catch (error) {
    assert.ok(error instanceof InvalidInputError)
    return error.message.replace('Application web: ', '').split('\n')
  }
  return []
}

const hydrated = (parts: { dry?: object; sync?: object; hydrateTo?: object }): string[] =>
  errorsOf({
    sourceHydrator: {
      drySource: { ...drySource, ...parts.dry },
      syncSource: { ...syncSource, ...parts.sync },
      ...(parts.hydrateTo && { hydrateTo: parts.hydrateTo }),
    },
  })

const hostileBranches = [
  '--upload-pack=touch /tmp/x',
  '-f',
  '-',
  'HEAD',
  'FETCH_HEAD',
  '@',
  'refs/heads/x',
  'refs/notes/commits',
  'REFS/heads/x',
  'a..b',
  '../x',
  'a/../b',
  'a b',
  'a\nb',
  'a\0b',
  'a\u007fb',
  'a~1',
  'a^',
  'a:b',
  'a?b',
  'a*',
  'a[b',
  'a\\b',
  'a//b',
  '/a',
  'a/',
  '.a',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a.',
  'a@{1}',
  'f'.repeat(40),
  'x'.repeat(300),
  'a\u202eb',
  'a\u200bb',
  'a\ud800b',
]
for (const branch of hostileBranches) {
  test(`the branch ${JSON.stringify(branch.slice(0, 40))} is refused, to sync from and to hydrate to`, () => {
    assert.match(hydrated({ sync: { targetBranch: branch } })[0] ?? '', /syncSource\.targetBranch/)
    assert.match(hydrated({ hydrateTo: { targetBranch: branch } })[0] ?? '', /hydrateTo\.targetBranch/)
  })
}

for (const branch of [
  'env/dev',
  'ümlaut/ß',
  '環境/本番',
  'a+b=c',
  'v1.0',
  'a-b_c.d',
  '#1',
  'a@b',
  'x'.repeat(255),
]) {
  test(`the branch ${branch.slice(0, 40)} is accepted`, () => {
    assert.deepEqual(hydrated({ sync: { targetBranch: branch } }), [])
  })
}

const hostilePaths = [
  '..',
  '../x',
  'a/../../b',
  '/etc',
  'a\0b',
  'a\nb',
  'a\\b',
  '.git',
  'a/.git/hooks/x',
  '.GIT/config',
  'git~1',
  '.g\u200cit',
  '.git ',
  '.git.',
  '.git:x',
  '.gitmodules',
  'a/.GitModules',
  '.gitattributes',
  'README.md',
  'a/readme.MD',
  'hydrator.metadata',
  'manifest.yaml',
  'a:b',
  'CON',
  'a/con.txt',
  'LPT1',
  'nul',
  'a.',
  'a ',
  ' a',
  'a/b.../c',
  'a?',
  'a*b',
  'a"b',
  'a<b',
  'a|b',
  'a\u202eb',
  'a\ud800',
  'x'.repeat(256),
  'x/'.repeat(2048),
]
for (const path of hostilePaths) {
  test(`the path ${JSON.stringify(path.slice(0, 40))} on a branch is refused`, () => {
    const errors = hydrated({ sync: { path } })
    assert.equal(errors.length, 1, errors.join('\n'))
    assert.match(errors[0] ?? '', /syncSource\.path/)
  })
}

for (const path of [
  '.',
  './',
  '/',
  'a/b',
  'a/./b',
  'files',
  'a b',
  'ümlaut',
  '-x',
  'console',
  'com10',
  '.hidden',
]) {
  test(`the path ${JSON.stringify(path)} on a branch is accepted`, () => {
    assert.deepEqual(hydrated({ sync: { path } }), [])
  })
}

for (const path of ['..', '/etc', 'a/../..', 'a\nb', 'a\0b', '.git', 'a/.git/config', 'x/'.repeat(2049)]) {
  test(`the dry path ${JSON.stringify(path.slice(0, 40))} is refused`, () => {
    const errors = hydrated({ dry: { path } })
    assert.equal(errors.length, 1, errors.join('\n'))
    assert.match(errors[0] ?? '', /drySource\.path/)
  })
}

for (const revision of [
  '-x',
  '--all',
  'a\nb',
  'a..b',
  'main~1',
  'HEAD^',
  'a:b',
  'refs/heads/',
  'refs/../x',
  'x@{1}',
  'a\u202e',
  'x'.repeat(1025),
]) {
  test(`the revision ${JSON.stringify(revision.slice(0, 40))} is refused`, () => {
    assert.match(hydrated({ dry: { targetRevision: revision } })[0] ?? '', /targetRevision: .*give a branch/)
  })
}

for (const revision of [
  'HEAD',
  'v1.2.3',
  '1.x',
  '>=1.0 <2.0',
  '^1.2',
  '~1.2',
  '*',
  'refs/tags/v1',
  'a'.repeat(40),
  'abc1234',
  'feature/x',
]) {
  test(`the revision ${revision} is accepted`, () => {
    assert.deepEqual(hydrated({ dry: { targetRevision: revision } }), [])
  })
}

test('fields that are not known are refused at any depth, with the one that was meant', () => {
  const cases: [object, string][] = [
    [
      { drySource, syncSource, drySorce: {} },
      'unknown field spec.sourceHydrator.drySorce; did you mean drySource?',
    ],
    [
      { drySource, syncSource, hydrateTo: { targetBranch: 'next', path: 'x' } },
      'unknown field spec.sourceHydrator.hydrateTo.path; expected one of targetBranch',
    ],
    [
      { drySource: { ...drySource, helm: { parameters: [{ nme: 'a' }] } }, syncSource },
      'unknown field spec.sourceHydrator.drySource.helm.parameters[0].nme; did you mean name?',
    ],
    [
      { drySource, syncSource: { ...syncSource, branch: 'x' } },
      'unknown field spec.sourceHydrator.syncSource.branch; expected one of repoURL, targetBranch, path',
    ],
  ]
  for (const [sourceHydrator, error] of cases) assert.deepEqual(errorsOf({ sourceHydrator }), [error])
  assert.match(
    hydrated({ dry: { nonsense: 1 } })[0] ?? '',
    /^unknown field spec\.sourceHydrator\.drySource\.nonsense; expected one of /,
  )
  assert.deepEqual(errorsOf({ destination: { sever: 'https://x' } }).slice(0, 1), [
    'unknown field spec.destination.sever; did you mean server?',
  ])
})

test('a destination names one cluster, and a project is not empty', () => {
  assert.match(errorsOf({ destination: undefined })[0] ?? '', /^spec\.destination\.server is required/)
  assert.match(
    errorsOf({ destination: { namespace: 'x' } })[0] ?? '',
    /^spec\.destination\.server is required/,
  )
  assert.deepEqual(errorsOf({ destination: { name: 'in-cluster' } }), [])
  assert.match(
    errorsOf({ destination: { server: 'https://u:hunter2@x' } })[0] ?? '',
    /^spec\.destination\.server contains a password/,
  )
  assert.deepEqual(errorsOf({ project: '' }), [
    'spec.project is empty; name a project, or leave the field out for default',
  ])
})

test('the branch of the dry source itself is refused', () => {
  assert.match(hydrated({ sync: { targetBranch: 'main' } })[0] ?? '', /branch main is the dry source itself/)
  assert.match(
    hydrated({ dry: { targetRevision: 'refs/heads/next' }, hydrateTo: { targetBranch: 'next' } })[0] ?? '',
    /hydrateTo\.targetBranch: branch next is the dry source itself/,
  )
  const spelled = { repoURL: 'https://git.example.com/team/apps.git', targetRevision: 'main' }
  const bySsh = { targetBranch: 'main', repoURL: 'ssh://git@git.example.com:22/team/apps.git' }
  assert.match(hydrated({ dry: spelled, sync: bySsh })[0] ?? '', /branch main is the dry source itself/)
  const elsewhere = { targetBranch: 'main', repoURL: 'https://git.example.com/wet.git' }
  assert.deepEqual(hydrated({ sync: elsewhere }), [])
})
