import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'
import { RepositoryFixture } from '../repository-fixture.ts'

const users = Object.fromEntries(['ann', 'bob', 'cid', 'dan'].map((name) => [name, `password of ${name}`]))
const logins = Object.entries(users).map(([username, password]) => ({ username, password }))

const mesh = await meshOfFile()
const git = await usedByFile(startGitHttpServer({ users }))

/** Returns the users and passwords that the git server was shown. */
function shownLogins(): Set<string> {
  return new Set(
    git.requests.flatMap(({ headers }) => {
      const [, encoded] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
      return encoded === undefined ? [] : [Buffer.from(encoded, 'base64').toString()]
    }),
  )
}

test('credentials that many callers change at once are never mixed, neither in use nor in the store', async () => {
  const { gateway, directory } = mesh.fixture
  const served = await git.createRepository('shared.git')
  const repository = await RepositoryFixture.open(served, join(directory, 'shared'))
  await repository.push({ 'shared/a.yaml': configMap('a', '1') })
  const repoUrl = repository.url
  const put = async (write: boolean, login: (typeof logins)[number]) => {
    try {
      await gateway.repositories.createRepository({
        repoUrl,
        write,
        upsert: true,
        skipValidation: true,
        ...login,
      })
      return true
    } catch (error) {
      // The slower ones get a conflict, and have changed nothing.
      assert.match(String(error), /aborted|already exists|was changed/i)
      return false
    }
  }
  for (const write of [false, true])
    assert.ok(await put(write, { username: 'ann', password: users['ann'] ?? '' }))
  const application = { name: 'shared', repoURL: repoUrl, branch: 'env/shared' }
  await mesh.fixture.applyAndWait(await repository.head('main'), application)
  let stored = 0
  for (let round = 2; round <= 5; round++) {
    const sha = await repository.push({ 'shared/a.yaml': configMap('a', String(round)) })
    const changes = logins.flatMap((login) => [put(false, login), put(true, login)])
    const [outcomes] = await Promise.all([Promise.all(changes), mesh.fixture.hydrateTo(sha, 'shared')])
    stored += outcomes.filter(Boolean).length
  }
  assert.ok(stored >= 8, `${stored} changes were stored`)
  const honest = new Set(logins.map(({ username, password }) => `${username}:${password}`))
  const shown = shownLogins()
  assert.ok(shown.size > 1, 'changed credentials are used')
  assert.deepEqual(
    [...shown].filter((login) => !honest.has(login)),
    [],
  )
  const { repositories } = await gateway.repositories.listRepositories({})
  const last = repositories.filter((one) => one.repoUrl === repoUrl)
  assert.ok(last.length > 0 && last.every(({ username }) => username in users))
})

test('what a reader does to an object that it got reaches nobody else', async () => {
  await using store = openSqliteStore({ file: join(mesh.fixture.directory, 'objects.db') })
  const metadata = {
    name: 'web',
    namespace: 'argocd',
    labels: { 'argocd.argoproj.io/secret-type': 'repository' },
  }
  const url = 'https://git.example.com/web.git'
  await store.create({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { url, password: 'right' } })
  const read = await store.get('Secret', 'argocd', 'web')
  const [listed] = (await store.list('Secret')).items
  for (const copy of [read, listed]) {
    assert.ok(copy?.data && copy.metadata.labels)
    copy.data['password'] = Buffer.from('wrong').toString('base64')
    copy.metadata.labels['argocd.argoproj.io/secret-type'] = 'none'
  }
  const repositories = new RepositoryStore(store, 'read')
  const [secret] = await repositories.list()
  assert.equal(secret?.values['password'], 'right')
  // The parsed form is kept, so nobody may write to it.
  assert.throws(() => Object.assign(secret.values, { password: 'wrong' }), TypeError)
  assert.throws(() => Object.assign(secret, { url: 'https://evil.example.com/web.git' }), TypeError)
  const { password } = (await repositories.list())[0]?.values ?? {}
  assert.equal(password, 'right')
})
