import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openRepositories, secretObject } from './repository-fixture.ts'

const url = 'https://git.example.com/org/deploy.git'

test('repositories are stored for their owner alone and listed by URL, then project', async () => {
  await using opened = await openRepositories()
  const { repositories, scratch } = opened
  for (const values of [
    { url: 'https://git.example.com/z' },
    { url, project: 'shop' },
    { url },
    { url: 'https://git.example.com/a', password: 'p' },
  ]) {
    await repositories.put(secretObject(`s-${(await repositories.list()).length}`, values))
  }
  assert.deepEqual(
    (await repositories.list()).map((one) => [one.url, one.project]),
    [
      ['https://git.example.com/a', ''],
      [url, ''],
      [url, 'shop'],
      ['https://git.example.com/z', ''],
    ],
  )
  assert.equal((await stat(join(scratch, 'credentials.db'))).mode & 0o777, 0o600)
})

test('a read secret is the same object until it changes', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  await repositories.put(secretObject('a', { url, password: 'p' }))
  const [first] = await repositories.list()
  assert.equal((await repositories.list())[0], first)
  await repositories.put(secretObject('a', { url, password: 'q' }))
  const [second] = await repositories.list()
  assert.deepEqual([second === first, second?.values.password], [false, 'q'])
})

test('credentials that somebody else has changed are not overwritten by those who saw the earlier ones', async () => {
  await using opened = await openRepositories()
  const { repositories, objects } = opened
  await repositories.put(secretObject('a', { url, password: 'p' }))
  const { resourceVersion } = (await objects.get('Secret', 'argocd', 'a'))?.metadata ?? {}
  const rotated = secretObject('a', { url, password: 'q' })
  const seen = { ...rotated, metadata: { ...rotated.metadata, ...(resourceVersion && { resourceVersion }) } }
  await repositories.put(secretObject('a', { url, password: 'theirs' }))
  await assert.rejects(repositories.put(seen), {
    name: 'ConflictError',
    message: /has changed since you read it/,
  })
  assert.deepEqual(await repositories.credentialsFor(url, ''), { password: 'theirs' })
})

test('credentials are those of the Secret that applies', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  assert.equal(await repositories.credentialsFor(url, 'shop'), undefined)
  await repositories.put(
    secretObject('a', { url: 'https://git.example.com', password: 'prefix' }, 'repo-creds'),
  )
  await repositories.put(secretObject('b', { url, password: 'shop', project: 'shop' }))
  assert.deepEqual(await repositories.credentialsFor(url, 'shop'), { password: 'shop' })
  assert.deepEqual(await repositories.credentialsFor(url, 'core'), { password: 'prefix' })
})

test('each store takes the Secrets of its purpose alone', async () => {
  for (const [purpose, wrong] of [
    ['read', 'repo-write-creds'],
    ['read', 'repository-write'],
    ['write', 'repository'],
    ['write', 'repo-creds'],
  ] as const) {
    await using opened = await openRepositories(purpose)
    await assert.rejects(opened.repositories.check(secretObject('a', { url }, wrong), true), {
      name: 'InvalidInputError',
      message: `Secret a of type ${wrong} is not for ${purpose} access`,
    })
  }
})

test('a repository that differs from the stored one needs upsert, an equal one does not', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  await repositories.put(secretObject('a', { url, password: 'p' }))
  await repositories.check(secretObject('a', { url, password: 'p' }), false)
  for (const values of [{ url, password: 'q' }, { url }, { url, password: 'p', username: 'u' }]) {
    await assert.rejects(repositories.check(secretObject('a', values), false), {
      name: 'AlreadyExistsError',
      message: `repository ${url} is stored already and differs; use upsert to replace it`,
    })
    assert.equal((await repositories.check(secretObject('a', values), true)).name, 'a')
  }
})

test('a Secret is not replaced by one of its name for another repository without upsert', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  await repositories.put(secretObject('a', { url, password: 'p' }))
  const other = secretObject('a', { url: 'https://git.example.com/other', password: 'p' })
  await assert.rejects(repositories.check(other, false), { name: 'AlreadyExistsError' })
  assert.equal((await repositories.check(other, true)).url, 'https://git.example.com/other')
})

test('a repository has one Secret, whatever its spelling, but projects and prefixes have their own', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  await repositories.put(secretObject('a', { url }))
  for (const upsert of [true, false]) {
    const twin = secretObject('b', { url: 'https://user@GIT.example.com/org/deploy'.replace('user@', '') })
    await assert.rejects(repositories.check(twin, upsert), {
      name: 'AlreadyExistsError',
      message: /is stored already as Secret a; change or remove that one$/,
    })
  }
  await repositories.check(secretObject('b', { url, project: 'shop' }), false)
  await repositories.check(secretObject('b', { url }, 'repo-creds'), false)
})

test('a Secret that is tried is there for what the trial calls alone', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  await repositories.put(secretObject('a', { url, bearerToken: 'stored' }))
  const identity = await repositories.identityFor(url, '')
  const tried = await repositories.check(secretObject('a', { url, bearerToken: 'tried' }), true)
  const tokenOf = async () => (await repositories.list()).map(({ values }) => values.bearerToken)
  const [inside, outside] = await Promise.all([
    repositories.try(tried, async () => [await tokenOf(), await repositories.identityFor(url, '')]),
    tokenOf(),
  ])
  assert.deepEqual([inside[0], outside, await tokenOf()], [['tried'], ['stored'], ['stored']])
  assert.notEqual(inside[1], identity)
  assert.equal(await repositories.identityFor(url, ''), identity)
})

test('a repository is removed in any spelling of its URL, from its project alone', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  await repositories.put(secretObject('a', { url }))
  await repositories.put(secretObject('b', { url, project: 'shop' }))
  await assert.rejects(repositories.delete(url, 'core'), {
    name: 'NotFoundError',
    message: `repository ${url} is not stored`,
  })
  await repositories.delete('https://GIT.example.com/org/deploy', 'shop')
  assert.deepEqual(
    (await repositories.list()).map(({ name }) => name),
    ['a'],
  )
})

test('a repository is removed before the credentials for all repositories below the same URL', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  await repositories.put(secretObject('a-prefix', { url }, 'repo-creds'))
  await repositories.put(secretObject('b-exact', { url }))
  await repositories.delete(url, '')
  assert.deepEqual(
    (await repositories.list()).map(({ name }) => name),
    ['a-prefix'],
  )
  await repositories.delete(url, '')
  assert.deepEqual(await repositories.list(), [])
})

test('the credentials of a prefix are removed beside a repository of the same URL', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  await repositories.put(secretObject('a-prefix', { url }, 'repo-creds'))
  await repositories.put(secretObject('b-exact', { url }))
  await repositories.delete(url, '', '', true)
  assert.deepEqual(
    (await repositories.list()).map(({ name }) => name),
    ['b-exact'],
  )
  await assert.rejects(repositories.delete(url, '', '', true), { name: 'NotFoundError' })
})

test('no error contains a secret', async () => {
  await using opened = await openRepositories()
  const { repositories } = opened
  const secrets = {
    password: 'hunter2-hunter2',
    bearerToken: 'token-token-token',
    sshPrivateKey: 'key-key-key',
  }
  await repositories.put(secretObject('a', { url, ...secrets }))
  const attempts = [
    repositories.check(secretObject('a', { url, ...secrets, username: 'u' }), false),
    repositories.check(secretObject('b', { url, ...secrets }), true),
    repositories.check(secretObject('a', { url, ...secrets }, 'repository-write'), true),
    repositories.check(secretObject('a', { ...secrets }), true),
    repositories.check(
      secretObject('a', { url: `https://u:${secrets.password}@git.example.com/x`, ...secrets }),
      true,
    ),
    repositories.delete(`https://user:${secrets.password}@git.example.com/x`, ''),
    repositories.put(secretObject('Not_A_Name', { url, ...secrets })),
  ]
  for (const [index, attempt] of attempts.entries()) {
    const message = await attempt.then(
      () => 'no error',
      (error: Error) => `${error.message}${String(error.cause)}`,
    )
    assert.notEqual(message, 'no error', String(index))
    for (const value of Object.values(secrets)) assert.ok(!message.includes(value), message)
  }
})
