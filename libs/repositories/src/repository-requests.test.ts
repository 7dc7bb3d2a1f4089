import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GitHttpServer, startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { openRepositories, secretObject } from './repository-fixture.ts'
import { listRepositories, putRepository } from './repository-requests.ts'

const password = 'right-hunter2'
const wrong = 'wrong-hunter2'

function startServer(): Promise<GitHttpServer> {
  return startGitHttpServer({ users: { wadi: password } })
}

function request(
  values: Record<string, string>,
  options: { type?: string; upsert?: boolean; skip?: boolean; keepOthers?: boolean } = {},
) {
  const { type = 'repository', upsert = false, skip = false, keepOthers = false } = options
  const resource = secretObject(`${type}-of-test`, values, type)
  return { secretJson: JSON.stringify(resource), skipValidation: skip, upsert, keepOthers }
}

test('a repository that can be reached is stored, and its view has no secret', async () => {
  await using server = await startServer()
  const { url } = await server.createRepository('platform.git')
  await using opened = await openRepositories()
  const values = { url, username: 'wadi', password, name: 'platform', project: 'shop' }
  const view = {
    repoUrl: url,
    name: 'platform',
    project: 'shop',
    username: 'wadi',
    credentials: 'password',
    insecure: false,
    isPrefix: false,
    reachable: true,
    message: '',
    warnings: [],
    version: '1',
  }
  assert.deepEqual(await putRepository(opened, request(values)), view)
  assert.deepEqual(await listRepositories(opened, true), [view])
  const { version: _version, ...again } = await putRepository(opened, request(values))
  assert.deepEqual({ ...again, version: '1' }, view)
})

test('other credentials keep what is stored beside them, and none of another kind', async () => {
  await using opened = await openRepositories()
  const url = 'https://git.example.com/deploy.git'
  const values = { url, username: 'old', password, proxy: 'http://proxy.example.com', type: 'helm' }
  await putRepository(opened, request(values, { skip: true }))
  const change = request({ url, sshPrivateKey: 'key' }, { skip: true, upsert: true, keepOthers: true })
  await putRepository(opened, change)
  assert.deepEqual((await opened.repositories.list())[0]?.values, {
    url,
    proxy: 'http://proxy.example.com',
    type: 'helm',
    sshPrivateKey: 'key',
  })
})

test('credentials are deleted in the version that somebody saw', async () => {
  await using opened = await openRepositories()
  const url = 'https://git.example.com/deploy.git'
  const seen = await putRepository(opened, request({ url, password }, { skip: true }))
  await putRepository(opened, request({ url, password: 'other' }, { skip: true, upsert: true }))
  await assert.rejects(opened.repositories.delete(url, '', seen.version), { name: 'ConflictError' })
  await opened.repositories.delete(url, '')
  assert.deepEqual(await opened.repositories.list(), [])
})

test('a new repository that cannot be reached is taken back, and the error has no secret', async () => {
  await using server = await startServer()
  const { url } = await server.createRepository('platform.git')
  await using opened = await openRepositories()
  const prefix = { url, username: 'wadi', password: wrong }
  await putRepository(opened, request(prefix, { type: 'repo-creds' }))
  await assert.rejects(
    putRepository(opened, request({ url, username: 'wadi', password: wrong })),
    (error: Error) => {
      assert.match(error.message, /127\.0\.0\.1/)
      assert.ok(!error.message.includes(wrong))
      assert.ok(!error.message.includes(Buffer.from(`wadi:${wrong}`).toString('base64')))
      return true
    },
  )
  // The credentials for all repositories below the same URL are another Secret, which stays.
  assert.deepEqual(
    (await opened.repositories.list()).map(({ name }) => name),
    ['repo-creds-of-test'],
  )
})

test('a change that does not work leaves what was stored', async () => {
  await using server = await startServer()
  const { url } = await server.createRepository('platform.git')
  await using opened = await openRepositories()
  const values = { url, username: 'wadi', password, name: 'platform' }
  await putRepository(opened, request(values))
  const change = { url, username: 'wadi', password: wrong }
  await assert.rejects(putRepository(opened, request(change)), { name: 'AlreadyExistsError' })
  await assert.rejects(putRepository(opened, request(change, { upsert: true })), (error: Error) => {
    assert.notEqual(error.name, 'AlreadyExistsError')
    return true
  })
  assert.deepEqual((await opened.repositories.list())[0]?.values, values)
  assert.equal((await listRepositories(opened, true))[0]?.reachable, true)
  assert.deepEqual(await opened.repositories.credentialsFor(url, ''), { username: 'wadi', password })
})

test('a change is not stored before it is known to work', async () => {
  const states: unknown[] = []
  let read = async (): Promise<unknown> => undefined
  await using server = await startGitHttpServer({
    users: { wadi: password },
    onRequest: async () => {
      states.push(await read())
      return undefined
    },
  })
  const { url } = await server.createRepository('platform.git')
  await using opened = await openRepositories()
  const values = { url, username: 'wadi', password, name: 'platform' }
  read = () => opened.objects.list('Secret').then(({ items }) => items.length)
  await putRepository(opened, request(values))
  read = () => opened.repositories.credentialsFor(url, '')
  await putRepository(opened, request({ ...values, name: 'renamed' }, { upsert: true }))
  const change = { url, username: 'wadi', password: wrong }
  await assert.rejects(putRepository(opened, request(change, { upsert: true })))
  const stored = { username: 'wadi', password }
  assert.deepEqual([states[0], states.at(-1)], [0, stored])
})

test('without validation, and for a URL above repositories, nobody is contacted', async () => {
  await using server = await startServer()
  const { url } = await server.createRepository('platform.git')
  await using opened = await openRepositories()
  await putRepository(opened, request({ url, password: wrong }, { skip: true }))
  const prefix = await putRepository(
    opened,
    request({ url: server.url, password: wrong }, { type: 'repo-creds' }),
  )
  assert.deepEqual([prefix.isPrefix, prefix.reachable], [true, true])
  await listRepositories(opened, false)
  assert.equal(server.requests.length, 0)
})

test('a refresh reports which repositories cannot be reached, without secrets, and leaves prefixes out', async () => {
  await using server = await startServer()
  const { url } = await server.createRepository('platform.git')
  await using opened = await openRepositories()
  await putRepository(opened, request({ url, username: 'wadi', password: wrong }, { skip: true }))
  await putRepository(opened, request({ url: server.url, password: wrong }, { type: 'repo-creds' }))
  const [prefix, repository] = await listRepositories(opened, true)
  assert.deepEqual([prefix?.isPrefix, prefix?.reachable, prefix?.message], [true, true, ''])
  assert.equal(repository?.reachable, false)
  assert.match(repository?.message ?? '', /./)
  assert.ok(!JSON.stringify([prefix, repository]).includes(wrong))
})

test('a URL that the policy refuses is not stored', async () => {
  await using opened = await openRepositories()
  for (const url of ['http://git.example.com/a', 'file:///srv/a.git', 'ext::sh -c x', '-u', 'ftp://host/a']) {
    await assert.rejects(putRepository(opened, request({ url })), { name: 'InvalidInputError' }, url)
  }
  assert.deepEqual(await opened.repositories.list(), [])
})

test('text that is not a Secret is refused without being quoted', async () => {
  await using opened = await openRepositories()
  const texts = [`{"stringData":{"password":"${password}"`, 'null', '[]', '7', '{"kind":"ConfigMap"}']
  for (const secretJson of texts) {
    const put = putRepository(opened, { secretJson, skipValidation: true, upsert: true, keepOthers: false })
    await assert.rejects(put, (error: Error) => {
      assert.equal(error.name, 'InvalidInputError')
      assert.match(error.message, /^secret_json is not (?:valid JSON|a Secret)$/)
      assert.equal(error.cause, undefined)
      return true
    })
  }
})

test('a Secret without metadata or with values that are not strings is refused', async () => {
  await using opened = await openRepositories()
  const object = secretObject('a', { url: 'https://git.example.com/a' })
  const invalid = [
    { kind: 'Secret' },
    { ...object, metadata: null },
    { ...object, stringData: { url: 7 } },
    { ...object, data: { url: 7 } },
  ]
  for (const value of invalid) {
    const put = { secretJson: JSON.stringify(value), skipValidation: true, upsert: true, keepOthers: false }
    await assert.rejects(putRepository(opened, put), { name: 'InvalidInputError' }, put.secretJson)
  }
})
