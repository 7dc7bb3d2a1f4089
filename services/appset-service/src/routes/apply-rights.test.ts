import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { listSet, policy, setOf, startUsersFixture, templateOf } from './users-fixture.ts'

test('who may make no Application at all has nothing generated', async () => {
  await using fixture = await startUsersFixture(policy, { matches: { '*': ['a'] } })
  const generators = [
    { git: { repoURL: 'https://git.example.com/team/apps.git', directories: [{ path: '*' }] } },
  ]
  const set = setOf({ generators, template: templateOf('{{path}}', 'dev') })
  await assert.rejects(
    fixture.as('nobody').apply(set),
    new PermissionDeniedError('permission denied: applications, create, dev/set, sub: nobody'),
  )
  assert.deepEqual(fixture.generation.calls, [])
  await assert.rejects(fixture.as(undefined).apply(set), /on behalf of a user alone/)
})

test('every Application is checked where it ends: the template of a generator changes no right', async () => {
  await using fixture = await startUsersFixture()
  const anna = fixture.as('anna')
  const own = { spec: { project: 'prod' } }
  const spec = {
    generators: [{ list: { elements: [{ name: 'a' }], template: own } }],
    template: templateOf('{{name}}', 'dev'),
  }
  // What may not be seen is counted and not named.
  const refused = new PermissionDeniedError('permission denied: 1 of 1 Applications of the set, sub: anna')
  await assert.rejects(anna.apply(setOf(spec)), refused)
  const rendered = setOf({
    generators: [
      {
        list: {
          elements: [
            { name: 'a', project: 'dev' },
            { name: 'b', project: 'prod' },
          ],
        },
      },
    ],
    template: templateOf('{{name}}', '{{project}}'),
  })
  await assert.rejects(anna.apply(rendered), /1 of 2 Applications of the set/)
  assert.deepEqual(await fixture.names(), [])
  assert.equal((await fixture.as('olga').apply(rendered)).outcome, 'created')
})

test('the first Application that may be seen is named', async () => {
  await using fixture = await startUsersFixture(
    `${policy}
p, tom, applications, create, dev/a*, allow
p, tom, applications, get, dev/*, allow`,
  )
  await assert.rejects(
    fixture.as('tom').apply(listSet(['a1', 'b1', 'c1'])),
    new PermissionDeniedError('permission denied: applications, create, dev/b1, sub: tom'),
  )
})

test('a change needs the right to change every Application that the set has, before anything is read', async () => {
  await using fixture = await startUsersFixture(
    `${policy}
p, tom, applications, get, dev/*, allow
p, tom, applications, create, dev/*, allow
p, tom, applications, update, dev/b, allow`,
    { matches: { '*': ['b'] } },
  )
  await fixture.as('anna').apply(listSet(['a', 'b']))
  const generators = [
    { git: { repoURL: 'https://git.example.com/team/apps.git', directories: [{ path: '*' }] } },
  ]
  await assert.rejects(
    fixture.as('tom').apply(setOf({ generators, template: templateOf('{{path}}', 'dev') })),
    new PermissionDeniedError('permission denied: applications, update, dev/a, sub: tom'),
  )
  assert.deepEqual(fixture.generation.calls, [])
})

test('an Application moves to a project where one may make it, from one where one may change it', async () => {
  await using fixture = await startUsersFixture(
    `${policy}
p, tom, applications, get, */*, allow
p, tom, applications, update, */*, allow`,
  )
  await fixture.as('anna').apply(listSet(['a']))
  await assert.rejects(
    fixture.as('tom').apply(listSet(['a'], { project: 'prod' })),
    new PermissionDeniedError('permission denied: applications, create, prod/a, sub: tom'),
  )
  await fixture.as('olga').apply(listSet(['a'], { project: 'prod' }))
  const moved = await fixture.generation.store.get('Application', 'argocd', 'a')
  assert.equal(moved?.spec?.['project'], 'prod')
})

test('projects permit the Applications or are reported', async () => {
  await using fixture = await startUsersFixture()
  const olga = fixture.as('olga')
  await assert.rejects(
    olga.apply(listSet(['a'], { project: 'bound' })),
    new PermissionDeniedError(
      "Application a: destination https://dev namespace apps is not permitted in project 'bound'",
    ),
  )
  await assert.rejects(
    olga.apply(listSet(['a'], { project: 'none' })),
    new InvalidInputError('Application a: application references project none which does not exist'),
  )
})

test('whether a project exists is reported by no generator, only to those who may see its Applications', async () => {
  await using fixture = await startUsersFixture(policy, { matches: { '*': ['a'] } })
  const setIn = (project: string) => {
    const git = { repoURL: 'https://git.example.com/team/apps.git', directories: [{ path: '*' }] }
    return setOf({ generators: [{ git }], template: templateOf('{{path}}', project) })
  }
  for (const project of ['prod', 'none']) {
    const refused = new PermissionDeniedError('permission denied: 1 of 1 Applications of the set, sub: anna')
    await assert.rejects(fixture.as('anna').apply(setIn(project)), refused)
    await assert.rejects(fixture.as('anna').generate(setIn(project)), refused)
  }
  await assert.rejects(
    fixture.as('olga').apply(setIn('none')),
    new InvalidInputError('Application a: application references project none which does not exist'),
  )
})

test('rules on applicationsets give nothing and take away', async () => {
  await using fixture = await startUsersFixture(
    `${policy}
p, tom, applicationsets, *, */*, allow
p, anna, applicationsets, create, dev/blocked, deny
p, anna, applicationsets, create, prod/*, deny
p, anna, applications, *, prod/*, allow`,
  )
  await assert.rejects(fixture.as('tom').apply(listSet(['a'])), PermissionDeniedError)
  const anna = fixture.as('anna')
  await assert.rejects(
    anna.apply(listSet(['a'], { name: 'blocked' })),
    new PermissionDeniedError('permission denied: applicationsets, create, dev/blocked, sub: anna'),
  )
  const rendered = setOf({
    generators: [{ list: { elements: [{ name: 'a', project: 'prod' }] } }],
    template: templateOf('{{name}}', '{{project}}'),
  })
  await assert.rejects(
    anna.apply(rendered),
    new PermissionDeniedError('permission denied: applicationsets, create, prod/set, sub: anna'),
  )
})

test('a name that is taken by a hidden set is refused without a word about it', async () => {
  await using fixture = await startUsersFixture()
  await fixture.as('paul').apply(listSet(['p'], { project: 'prod' }))
  await assert.rejects(
    fixture.as('anna').apply(listSet(['a'])),
    new PermissionDeniedError('permission denied: applications, create, dev/set, sub: anna'),
  )
  await assert.rejects(
    fixture.as('olga').apply(listSet(['a'], { namespace: 'elsewhere' })),
    new PermissionDeniedError("namespace 'elsewhere' is not permitted"),
  )
})
