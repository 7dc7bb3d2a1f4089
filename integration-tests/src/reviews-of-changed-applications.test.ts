import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { applicationObject, configMap } from './application-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'
import { connectForge } from './pull-request-fixture.ts'
import { propose } from './review-fixture.ts'

let mesh: MeshFixture
before(async () => {
  mesh = await startMeshFixture()
  await mesh.fixture.gateway.resources.applyResource({
    resource: {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'shown', namespace: 'argocd', annotations: { 'wadi.dev/reviews': 'diffs' } },
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
    },
  })
})
after(() => mesh[Symbol.asyncDispose]())

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
    await until(() => newest(sha) !== undefined && newest(sha)?.state !== 'pending', 300)
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
