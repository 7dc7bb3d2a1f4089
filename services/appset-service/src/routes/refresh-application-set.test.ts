import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { listSet, policy, setOf, startUsersFixture, templateOf } from './users-fixture.ts'
import { currentAuthor } from '../access/author.ts'

const repoURL = 'https://git.example.com/team/apps.git'
const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function gitFiles(project: string) {
  return setOf({
    generators: [{ git: { repoURL, files: [{ path: '*.json' }] } }],
    template: templateOf('{{name}}', project),
  })
}

test('a refresh asks the repositories now and writes what they hold', async () => {
  await using fixture = await startUsersFixture(policy, {
    matches: { '*.json': ['a.json'] },
    files: { 'a.json': '{"name":"a"}' },
  })
  const { repository, calls } = fixture.generation
  await fixture.as('anna').apply(gitFiles('dev'))
  repository.revisions['HEAD'] = 'decade'
  repository.treeId = 'tree-2'
  repository.files['a.json'] = '[{"name":"a"},{"name":"b"}]'
  calls.length = 0
  const { changes, withheld } = await fixture.as('anna').refresh()
  assert.equal(calls[0], 'resolve HEAD dev now')
  assert.deepEqual(
    changes.map(({ action, name }) => `${action} ${name}`),
    ['unchanged a', 'create b'],
  )
  assert.equal(withheld, '')
  assert.deepEqual(await fixture.names(), ['a', 'b'])
})

test('withheld deletions wait until somebody who may delete confirms them', async () => {
  await using fixture = await startUsersFixture(policy, {
    matches: { '*.json': ['a.json'] },
    files: { 'a.json': JSON.stringify(letters.map((name) => ({ name }))) },
  })
  const { repository } = fixture.generation
  const anna = fixture.as('anna')
  await anna.apply(gitFiles('dev'))
  repository.revisions['HEAD'] = 'decade'
  repository.treeId = 'tree-2'
  repository.files['a.json'] = '[{"name":"a"}]'
  const { changes, withheld } = await anna.refresh()
  assert.deepEqual(
    changes.map(({ action }) => action),
    ['unchanged', ...letters.slice(1).map(() => 'keep')],
  )
  assert.match(withheld, /^7 of 8 Applications stay: .*wadi appset refresh set --confirm$/)
  assert.deepEqual(await fixture.names(), letters)
  await anna.refresh({ confirmDeletions: true })
  assert.deepEqual(await fixture.names(), ['a'])
})

test('nobody lends a set rights that its author has not', async () => {
  await using fixture = await startUsersFixture(policy, {
    matches: { '*.json': ['a.json'] },
    files: { 'a.json': '{"name":"a","project":"dev"}' },
  })
  const { repository, store } = fixture.generation
  await fixture.as('anna').apply(gitFiles('{{project}}'))
  repository.revisions['HEAD'] = 'decade'
  repository.treeId = 'tree-2'
  repository.files['a.json'] = '[{"name":"a","project":"dev"},{"name":"b","project":"prod"}]'
  const refused = (user: string) => assert.rejects(fixture.as(user).refresh(), PermissionDeniedError)
  await refused('anna')
  await assert.rejects(
    fixture.as('olga').refresh(),
    /^PermissionDeniedError: project prod is not authorised for this ApplicationSet/,
  )
  assert.deepEqual(await fixture.names(), ['a'])
  repository.files['a.json'] = '[{"name":"a","project":"dev"},{"name":"b","project":"dev"}]'
  repository.revisions['HEAD'] = 'facade'
  repository.treeId = 'tree-3'
  await fixture.as('olga').refresh()
  const set = await store.get('ApplicationSet', 'argocd', 'set')
  assert.deepEqual(set && currentAuthor(set, fixture.generation.context.seal), {
    subject: { sub: 'anna', groups: [] },
    projects: ['dev'],
    generation: 1,
  })
  await fixture.as('olga').apply(gitFiles('{{project}}'))
  const own = await store.get('ApplicationSet', 'argocd', 'set')
  assert.deepEqual(own && currentAuthor(own, fixture.generation.context.seal), {
    subject: { sub: 'olga', groups: [] },
    projects: ['dev'],
    generation: 1,
  })
})

test('a repository that the author may not read is not read for somebody who may', async () => {
  await using fixture = await startUsersFixture(policy, {
    matches: { '*.json': ['a.json'], '*': ['x'] },
    files: { 'a.json': `{"repo":"${repoURL}"}` },
  })
  const { repository, calls } = fixture.generation
  const generators = [
    {
      matrix: {
        generators: [
          { git: { repoURL, files: [{ path: '*.json' }] } },
          { git: { repoURL: '{{repo}}', directories: [{ path: '*' }], pathParamPrefix: 'dir' } },
        ],
      },
    },
  ]
  await fixture.as('anna').apply(setOf({ generators, template: templateOf('{{dir.path}}', 'dev') }))
  repository.files['a.json'] = '{"repo":"https://git.example.com/secret/apps.git"}'
  repository.revisions['HEAD'] = 'decade'
  repository.treeId = 'tree-2'
  calls.length = 0
  await assert.rejects(fixture.as('olga').refresh(), /repositories, get, .*secret.*, sub: anna/)
  assert.equal(calls.filter((call) => call.startsWith('resolve')).length, 1)
})

test('a refresh needs the right to change every Application', async () => {
  await using fixture = await startUsersFixture(
    `${policy}
p, tom, applications, get, dev/*, allow
p, tom, applications, update, dev/a, allow`,
  )
  await fixture.as('anna').apply(listSet(['a', 'b']))
  await assert.rejects(
    fixture.as('tom').refresh(),
    new PermissionDeniedError('permission denied: applications, update, dev/b, sub: tom'),
  )
})
