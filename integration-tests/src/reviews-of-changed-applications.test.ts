import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { applicationObject, configMap } from './application-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import { connectForge } from './pull-request-fixture.ts'
import { propose } from './review-fixture.ts'

const mesh = await meshOfFile()
await mesh.fixture.applyProject('shown', {}, { 'wadi.dev/reviews': 'diffs' })

test('a pull request that renames an Application says so, and one that deletes it with its files does not fail', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('acme/apps', { 'web/a.yaml': configMap('web', '1') })
  const made = (name: string) => ({
    name,
    repoURL: repository.url,
    project: 'shown',
    branch: 'environments/acme',
  })
  const [web, apps] = [
    { ...made('web'), namespace: 'web' },
    { ...made('apps'), namespace: 'argocd' },
  ]
  const written = (name: string) =>
    JSON.stringify(applicationObject({ ...web, name, path: 'web', syncPath: 'web' }))
  const other = { 'apps/other.yaml': configMap('other', '1') }
  const head = await repository.push({ ...other, 'apps/web.yaml': written('web') })
  await fixture.applyAndWait(head, web, apps)
  await using forged = await connectForge(mesh, repository)
  const { open, announce, newest, comments } = forged
  const reviewed = async (files: Record<string, string | undefined>, ref: string) => {
    const sha = await propose(repository, `refs/heads/${ref}`, files)
    const pull = open({ head: ref })
    await announce(pull)
    await until(() => newest(sha) !== undefined && newest(sha)?.state !== 'pending')
    return { status: newest(sha), comment: comments(pull)[0] ?? '' }
  }
  const renamed = await reviewed({ 'apps/web.yaml': written('shop') }, 'rename')
  assert.equal(renamed.status?.state, 'success')
  assert.match(renamed.comment, /\| `argocd\/shop` \| `changed, renamed from argocd\/web` \|/)
  assert.match(renamed.comment, /- Applications: 2 changed\n/)
  const removed = await reviewed({ 'apps/web.yaml': undefined, 'web/a.yaml': undefined }, 'remove')
  assert.equal(removed.status?.state, 'success')
  assert.match(removed.comment, /- Applications: 1 changed, 1 removed\n/)
  assert.match(removed.comment, /\*\*Warning\*\* `argocd\/web`: `until it is deleted it cannot be hydrated: /)
})

test('a forge that forbids comments gets the status, and the repository says why there is no comment until there is one', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('acme/silent', {
    'silent/a.yaml': configMap('silent', '1'),
  })
  const application = {
    name: 'silent',
    repoURL: repository.url,
    project: 'shown',
    branch: 'environments/silent',
  }
  await fixture.applyAndWait(await repository.dry.head(), application)
  await using forged = await connectForge(mesh, repository)
  const { forge, open, announce, newest, comments } = forged
  const messageOf = async (): Promise<string> => {
    const { repositories } = await fixture.gateway.repositories.listRepositories({ write: true })
    return repositories.find(({ repoUrl }) => repoUrl === repository.url)?.message ?? 'not there'
  }
  const review = async (value: string) => {
    const sha = await propose(repository, `refs/heads/${value}`, {
      'silent/a.yaml': configMap('silent', value),
    })
    const pull = open({ head: value })
    await announce(pull)
    await until(() => newest(sha) !== undefined && newest(sha)?.state !== 'pending')
    return { comments: comments(pull), description: newest(sha)?.description ?? '' }
  }
  forge.forbidden = (method, path) => method === 'POST' && path.endsWith('/comments')
  const refused = await review('two')
  assert.deepEqual(refused.comments, [])
  assert.match(refused.description, /; the forge refuses the comment$/)
  assert.match(await messageOf(), /^pull requests are not reviewed as they should be: .*403/)
  forge.forbidden = () => false
  assert.equal((await review('three')).comments.length, 1)
  assert.equal(await messageOf(), '')
})
