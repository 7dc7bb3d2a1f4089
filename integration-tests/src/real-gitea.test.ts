import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createRepository, type TestRepository } from '@wadi/testing/git-repository.ts'
import { giteaProgram } from '@wadi/testing/gitea/gitea-program.ts'
import { type RealGitea, startRealGitea } from '@wadi/testing/gitea/real-gitea.ts'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { until } from '@wadi/testing/until.ts'
import { configMap } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'

const skip = goProgramMissing(giteaProgram) ?? false
const secret = 'a secret of webhooks'

let mesh: MeshFixture
let gitea: RealGitea
before(async () => {
  if (skip !== false) return
  gitea = await startRealGitea()
  mesh = await startMeshFixture()
  await mesh.fixture.applyOperatorSettings({ 'sourceHydrator.reviews': '*' })
  await mesh.fixture.gateway.resources.applyResource({
    resource: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret', namespace: 'argocd' },
      stringData: { 'webhook.gitea.secret': secret },
    },
  })
})
after(async () => {
  if (skip !== false) return
  await mesh[Symbol.asyncDispose]()
  await gitea[Symbol.asyncDispose]()
})

interface Hosted {
  copy: TestRepository
  url: string
  /** Pushes what is checked out to a branch. */
  push: (branch: string) => Promise<void>
}

/** Makes a private repository with a first dry commit, credentials that name the forge, and a webhook. */
async function host(name: string): Promise<Hosted> {
  const { address, username, password } = gitea
  await gitea.api('POST', 'user/repos', { name, private: true, default_branch: 'main' })
  const url = `${address}/acme/${name}.git`
  const copy = await createRepository(join(mesh.fixture.directory, 'copies', name), {})
  const withUser = url.replace('://', `://${username}:${password}@`)
  const push = async (branch: string) => {
    await copy.git.raw(['push', '--quiet', '--force', withUser, `HEAD:refs/heads/${branch}`])
  }
  await copy.commitFiles({ [`${name}/a.yaml`]: configMap(name, '1') }, 'First configuration')
  await push('main')
  const { repositories } = mesh.fixture.gateway
  await repositories.createRepository({ repoUrl: url, username, password })
  const forge = { forge: 'gitea', forgeUrl: address }
  await repositories.createRepository({ repoUrl: url, username, password, write: true, ...forge })
  await gitea.api('POST', `repos/acme/${name}/hooks`, {
    type: 'gitea',
    active: true,
    events: ['push', 'pull_request', 'pull_request_sync'],
    config: { url: `${mesh.address}/api/webhook`, content_type: 'json', secret },
  })
  return { copy, url, push }
}

test(
  'a dry pull request of a real Gitea gets its status and one comment, by its webhook',
  { skip },
  async () => {
    const { copy, url, push } = await host('shop')
    const application = { name: 'shop', repoURL: url, branch: 'environments/shop' }
    await mesh.fixture.applyAndWait(await copy.head(), application)
    // The newest of each context; the list of all is ordered by whole seconds.
    const status = async (sha: string) => {
      const { statuses } = (await gitea.api('GET', `repos/acme/shop/commits/${sha}/status`)) as {
        statuses: { status: string; context: string; description: string }[] | null
      }
      return statuses?.find(({ context }) => context === 'wadi/diff')
    }
    const first = await copy.commitFiles({ 'shop/a.yaml': configMap('shop', '2') }, 'Change')
    await push('change')
    await gitea.api('POST', 'repos/acme/shop/pulls', { head: 'change', base: 'main', title: 'Change' })
    await until(async () => (await status(first))?.status === 'success')
    assert.equal(
      (await status(first))?.description,
      '1 of 1 application changes on 1 branch; objects: 1 changed',
    )
    const second = await copy.commitFiles({ 'shop/a.yaml': 'kind: [\n' }, 'Break')
    await push('change')
    await until(async () => (await status(second))?.status === 'failure')
    const comments = (await gitea.api('GET', 'repos/acme/shop/issues/1/comments')) as { body: string }[]
    assert.equal(comments.length, 1)
    assert.match(
      comments[0]?.body ?? '',
      /^<!-- wadi\/diff -->\n### Hydrated changes\n[^]*- Applications: 1 failed/,
    )
  },
)

test('a pull request out is opened in a real Gitea with a label, and merged', { skip }, async () => {
  const { copy, url } = await host('staged')
  await mesh.fixture.apply({
    name: 'staged',
    repoURL: url,
    branch: 'env/staged',
    hydrateTo: 'env/staged-next',
    annotations: { 'wadi.dev/pull-requests': 'merge', 'wadi.dev/pull-request-labels': 'deploy' },
  })
  await mesh.fixture.waitFor('staged', isHydratedAt(await copy.head()))
  const pull = async () => {
    const [found] = (await gitea.api('GET', 'repos/acme/staged/pulls?state=all')) as {
      merged: boolean
      title: string
      labels: { name: string }[]
    }[]
    return found
  }
  // The merge comes with the next poll; a change of credentials starts one.
  const { username, password } = gitea
  const credentials = { repoUrl: url, username, password, write: true, upsert: true, skipValidation: true }
  let nextLook = 0
  await until(async () => {
    if (performance.now() >= nextLook) {
      const { repositories } = mesh.fixture.gateway
      await repositories.createRepository({ ...credentials, forge: 'gitea', forgeUrl: gitea.address })
      nextLook = performance.now() + 1_000
    }
    return (await pull())?.merged === true
  })
  const found = await pull()
  assert.equal(found?.title, 'Promote env/staged-next to env/staged: 1 added')
  assert.deepEqual(
    found?.labels.map(({ name }) => name),
    ['deploy'],
  )
  const merged = (await gitea.api('GET', 'repos/acme/staged/contents/staged?ref=env/staged')) as {
    name: string
  }[]
  assert.ok(merged.some(({ name }) => name === 'manifest.yaml'))
})
