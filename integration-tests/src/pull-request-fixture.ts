import { createHmac } from 'node:crypto'
import {
  standInState,
  type StandInPull,
  type StandInState,
  type StandInStatus,
} from '@wadi/forges/pull-requests/forge-state-fixture.ts'
import { standInToken } from '@wadi/forges/pull-requests/stand-in-answers-fixture.ts'
import { type StandInForge, startStandInForge } from '@wadi/forges/pull-requests/stand-in-server-fixture.ts'
import type { HydrationFixture } from './hydration-fixture.ts'
import { gitUser, type MeshFixture } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

const webhookSecret = 'a secret of webhooks'

/** A repository whose pull requests a stand-in of GitHub has. */
export interface ForgedRepository extends AsyncDisposable {
  readonly forge: StandInForge
  /** Lists a pull request of a branch, or of a commit of a fork. */
  readonly open: (parts: Partial<StandInPull>) => StandInPull
  /** Sends the webhook of a pull request, each with another body. */
  readonly announce: (pull: StandInPull) => Promise<Response>
  /** The statuses of a commit, the oldest first. */
  readonly states: (sha: string) => string[]
  /** The newest status of a commit. */
  readonly newest: (sha: string) => StandInStatus | undefined
  /** The comments of a pull request. */
  readonly comments: (pull: StandInPull) => string[]
}

type ForgeKind = Parameters<typeof startStandInForge>[0]

/** Starts a forge for a repository and stores the write credentials that name it. */
export async function connectForge(
  { fixture, address }: Pick<MeshFixture, 'fixture' | 'address'>,
  repository: RepositoryFixture,
  kind: ForgeKind = 'github',
): Promise<ForgedRepository> {
  const state: StandInState = standInState(repository.directory, namesOf(repository))
  const forge = await startStandInForge(kind, state)
  await addForgeCredentials(fixture, repository, forge, kind)
  await storeSecret(fixture, { name: 'argocd-secret' }, { 'webhook.github.secret': webhookSecret })
  let deliveries = 0
  const statusesOf = (sha: string) => state.statuses.filter((status) => status.sha === sha)
  return {
    forge,
    open: (parts) => {
      const number = state.pulls.length + 1
      const texts = { title: `Change ${number}`, body: '', author: 'ada', labels: [] }
      const none = { requestedReviewers: [], reviews: [], isMerged: false, isDraft: false }
      const pull: StandInPull = { number, head: '', base: 'main', state: 'open', ...texts, ...none, ...parts }
      state.pulls.push(pull)
      return pull
    },
    announce: ({ number }) => {
      const body = JSON.stringify({
        action: 'synchronize',
        number,
        delivery: ++deliveries,
        repository: { clone_url: repository.url },
      })
      const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
      const headers = { 'x-github-event': 'pull_request', 'x-hub-signature-256': `sha256=${signature}` }
      return fetch(`${address}/api/webhook`, { method: 'POST', headers, body })
    },
    states: (sha) =>
      statusesOf(sha)
        .map(({ state: word }) => word)
        .toReversed(),
    newest: (sha) => statusesOf(sha)[0],
    comments: ({ number }) => state.comments.filter(({ pull }) => pull === number).map(({ body }) => body),
    [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose](),
  }
}

/** Stores write credentials of a repository that name its forge. */
export async function addForgeCredentials(
  fixture: HydrationFixture,
  repository: RepositoryFixture,
  forge: StandInForge,
  kind: ForgeKind = 'github',
): Promise<void> {
  const name = `write-${namesOf(repository).name}`
  const labels = { 'argocd.argoproj.io/secret-type': 'repository-write' }
  const api = { forge: kind, forgeUrl: forge.address, forgeToken: standInToken }
  await storeSecret(fixture, { name, labels }, { url: repository.url, ...gitUser, ...api })
}

function namesOf({ url }: RepositoryFixture): { owner: string; name: string } {
  const [name = '', owner = ''] = new URL(url).pathname
    .replace(/\.git$/, '')
    .split('/')
    .toReversed()
  return { owner, name }
}

async function storeSecret(
  { gateway }: HydrationFixture,
  metadata: { name: string; labels?: Record<string, string> },
  stringData: Record<string, string>,
): Promise<void> {
  await gateway.resources.applyResource({
    resource: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'argocd', ...metadata },
      stringData,
    },
  })
}
