import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FailedPreconditionError,
  InvalidInputError,
  PermissionDeniedError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import { applicationOf, listSet, policy, setOf, startUsersFixture, templateOf } from './users-fixture.ts'

const git = (repoURL: string) => ({ git: { repoURL, directories: [{ path: '*' }] } })
const team = 'https://git.example.com/team/apps.git'

test('the Applications are returned and nothing is stored', async () => {
  await using fixture = await startUsersFixture(policy, { matches: { '*': ['a', 'b'] } })
  const set = setOf({ generators: [git(team)], template: templateOf('{{path}}', 'dev') })
  const { applications } = await fixture.as('anna').generate(set)
  assert.deepEqual(
    applications.map(({ metadata }) => metadata),
    ['a', 'b'].map((name) => ({
      name,
      namespace: 'argocd',
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    })),
  )
  assert.deepEqual(await fixture.names(), [])
})

test('a preview is not weaker than a change', async () => {
  await using fixture = await startUsersFixture()
  await fixture.generation.store.create(applicationOf('taken', 'dev'))
  const anna = fixture.as('anna')
  await assert.rejects(fixture.as('nobody').generate(listSet(['a'])), PermissionDeniedError)
  await assert.rejects(anna.generate(listSet(['a'], { project: 'prod' })), PermissionDeniedError)
  await assert.rejects(
    anna.generate(listSet(['taken'])),
    new FailedPreconditionError('application taken is not managed by this ApplicationSet'),
  )
  await anna.apply(listSet(['a']))
  assert.equal((await anna.generate(listSet(['a', 'b']))).applications.length, 2)
})

test('only those who may read a repository, also where one generator names it for another', async () => {
  await using fixture = await startUsersFixture(policy, {
    matches: { '*': ['a'], 'repos.json': ['repos.json'] },
    files: { 'repos.json': '[{"repo":"https://git.example.com/secret/apps.git"}]' },
  })
  const anna = fixture.as('anna')
  const template = templateOf('{{path.basename}}', 'dev')
  const secret = 'https://git.example.com/secret/apps.git'
  const refused = (at: string) =>
    new PermissionDeniedError(`${at}: permission denied: repositories, get, ${secret}, sub: anna`)
  await assert.rejects(
    anna.generate(setOf({ generators: [git(secret)], template })),
    refused('spec.generators[0].git'),
  )
  const matrix = (first: object) =>
    setOf({ generators: [{ matrix: { generators: [first, git('{{repo}}')] } }] as never, template })
  await assert.rejects(
    anna.generate(matrix({ list: { elements: [{ repo: secret }] } })),
    (error) => error instanceof PermissionDeniedError && error.message.endsWith(`get, ${secret}, sub: anna`),
  )
  assert.deepEqual(fixture.generation.calls, [])
  await assert.rejects(
    anna.generate(matrix({ git: { repoURL: team, files: [{ path: 'repos.json' }] } })),
    (error) => error instanceof PermissionDeniedError && error.message.endsWith(`get, ${secret}, sub: anna`),
  )
  assert.deepEqual(fixture.generation.calls, [
    'resolve HEAD dev now',
    'list files repos.json - hidden',
    'read repos.json',
  ])
})

test('what somebody else had generated is not given to those who may not read it', async () => {
  await using fixture = await startUsersFixture(`${policy}\np, tom, applications, *, dev/*, allow`, {
    matches: { '*': ['a'] },
  })
  const set = setOf({ generators: [git(team)], template: templateOf('{{path}}', 'dev') })
  await fixture.as('anna').generate(set)
  await assert.rejects(fixture.as('tom').generate(set), /permission denied: repositories/)
})

test('addresses that are not repositories are read by nobody', async () => {
  await using fixture = await startUsersFixture(policy, { matches: { '*': ['a'] } })
  const olga = fixture.as('olga')
  for (const repoURL of [
    'file:///etc',
    '/etc',
    'http://169.254.169.254/latest/meta-data',
    'https://169.254.169.254/latest/meta-data',
    'https://2852039166/latest',
    'https://[fe80::1]/x',
    'https://[::ffff:169.254.169.254]/x',
    'https://user@git.example.com/r.git',
    'https://user:s3cret@git.example.com/r.git',
    'ext::sh -c id',
  ]) {
    await assert.rejects(
      olga.generate(setOf({ generators: [git(repoURL)], template: templateOf('{{path}}', 'dev') })),
      (error) => error instanceof InvalidInputError && !error.message.includes('s3cret'),
      repoURL,
    )
  }
  assert.deepEqual(fixture.generation.calls, [])
})

test('every cluster must be visible, and none is named', async () => {
  await using fixture = await startUsersFixture()
  await fixture.generation.addCluster('dev')
  await fixture.generation.addCluster('prod')
  const anna = fixture.as('anna')
  const clusters = (selector: object) =>
    setOf({ generators: [{ clusters: { selector } }] as never, template: templateOf('{{name}}', 'dev') })
  await assert.rejects(
    anna.generate(clusters({})),
    (error) => error instanceof PermissionDeniedError && !error.message.includes('prod'),
  )
  const secret = await fixture.generation.store.get('Secret', 'argocd', 'cluster-dev')
  assert.ok(secret)
  const labels = { ...secret.metadata.labels, stage: 'dev' }
  await fixture.generation.store.update({ ...secret, metadata: { ...secret.metadata, labels } })
  const own = await anna.generate(clusters({ matchLabels: { stage: 'dev' } }))
  assert.equal(own.applications.length, 1)
})

test('one user has a bounded number of sets generated at the same time', async () => {
  await using fixture = await startUsersFixture(policy, { matches: { '*': ['a'] } })
  const { context } = fixture
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let waiting = 0
  const resolveRevisions: typeof context.repoServer.resolveRevisions = async (request, options) => {
    waiting += 1
    if (waiting === 4) reach()
    await gate
    return context.repoServer.resolveRevisions(request, options)
  }
  const slow = { ...context, repoServer: { ...context.repoServer, resolveRevisions } }
  const set = setOf({ generators: [git(team)], template: templateOf('{{path}}', 'dev') })
  const running = Array.from({ length: 4 }, () => fixture.as('anna', [], slow).generate(set))
  await reached
  await assert.rejects(fixture.as('anna').generate(set), ResourceExhaustedError)
  assert.equal((await fixture.as('olga').generate(set)).applications.length, 1)
  open()
  await Promise.all(running)
  assert.equal((await fixture.as('anna').generate(set)).applications.length, 1)
})

test('a preview under the name of a hidden set is that of a missing set', async () => {
  await using fixture = await startUsersFixture()
  await fixture.as('olga').apply(listSet(['p1', 'p2'], { project: 'prod' }))
  const anna = fixture.as('anna')
  assert.deepEqual(await anna.generate(listSet(['a'])), await anna.generate(listSet(['a'], { name: 'free' })))
  const taken = (name: string) => anna.generate(listSet(['p1'], { name }))
  const refused = new PermissionDeniedError('permission denied: 1 of 1 Applications of the set, sub: anna')
  await assert.rejects(taken('set'), refused)
  await assert.rejects(taken('free'), refused)
})

test('what another user generated does not change the message of an error', async () => {
  await using fixture = await startUsersFixture()
  await fixture.generation.addCluster('hidden')
  const set = (name: string) =>
    setOf({ generators: [{ clusters: {} }], template: templateOf('{{name}}', 'dev') }, { name })
  await fixture.as('olga').generate(set('known'))
  for (const name of ['known', 'new']) {
    await assert.rejects(
      fixture.as('anna').generate(set(name)),
      new PermissionDeniedError(
        'spec.generators[0].clusters: permission denied: clusters, get, a cluster that the generators yield, sub: anna',
      ),
    )
  }
})

test('each Application comes with the element of the generator that it is from, also when nothing has changed', async () => {
  await using fixture = await startUsersFixture()
  for (const round of [1, 2]) {
    const { applications, elements } = await fixture.as('anna').generate(listSet(['a', 'b']))
    assert.equal(applications.length, 2, `round ${round}`)
    assert.deepEqual(
      elements.map(({ origin }) => origin),
      ['spec.generators[0].list.elements[0]', 'spec.generators[0].list.elements[1]'],
    )
    assert.equal(Object.values(elements[0]?.parameters ?? {})[0], 'a')
  }
})

test('parameters that are too much are left out, and every Application keeps its element', async () => {
  await using fixture = await startUsersFixture()
  const elements = Array.from({ length: 15 }, (_, index) => ({
    name: `c${index}`,
    text: 'x'.repeat(300_000),
  }))
  const template = templateOf('{{name}}', 'dev')
  const set = setOf({ generators: [{ list: { elements } }] as never, template })
  const answer = await fixture.as('anna').generate(set)
  assert.equal(answer.elements.length, 15)
  const [first, last] = [answer.elements[0], answer.elements.at(-1)]
  assert.deepEqual([first?.truncated, first?.parameters?.['name']], [false, 'c0'])
  assert.deepEqual(
    [last?.truncated, last?.parameters, last?.origin],
    [true, undefined, 'spec.generators[0].list.elements[14]'],
  )
})
