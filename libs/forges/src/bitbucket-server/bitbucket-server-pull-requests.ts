import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { LRUCache } from 'lru-cache'
import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, listAt, optionalTextAt, textAt } from '../forge-values.ts'
import { putServerAnnotations } from './bitbucket-server-annotations.ts'
import {
  commentOfActivity,
  isStatusUrl,
  newServerStatus,
  pageOf,
  serverComment,
  serverPullRequest,
  serverStatus,
} from './bitbucket-server-answers.ts'
import type {
  KeepingForge,
  KeptPullRequest,
  Mergeability,
  MergeMethod,
  PullRequestForge,
  ReviewingForge,
} from '../pull-requests/pull-request-forge.ts'
import { unfolded } from '../pull-requests/unfolded.ts'

const pageSize = { limit: '100' }

const mergeStrategies = { merge: 'no-ff', squash: 'squash', rebase: 'rebase-ff-only' } as const

/** Heads of forks that the repository has already, for all callers. */
const broughtHeads = new LRUCache<string, true>({ max: 10_000 })

/** The pull requests of a repository of Bitbucket Data Center. */
export function bitbucketServerForge(api: ForgeApi, project: string, slug: string): PullRequestForge {
  const repository = ['projects', project, 'repos', slug]
  const pulls = ['api', 'latest', ...repository, 'pull-requests']
  return { ...reviewing(api, repository, pulls), ...keeping(api, pulls, { project, slug }) }
}

function reviewing(api: ForgeApi, repository: readonly string[], pulls: readonly string[]): ReviewingForge {
  const own = ['api', 'latest', ...repository]
  const builds = (sha: string) => [...own, 'commits', sha, 'builds']
  const comments = (number: string) => [...pulls, number, 'comments']
  return {
    limits: { comment: 32_768, description: 255, title: 255 },
    // HTML is shown as text; a link that nothing refers to is not shown.
    hidden: (marker) => `[//]: # (${marker})`,
    shown: unfolded,
    visibility: () => api.one({ path: own }, (body) => (isTrueAt(body, 'public') ? 'public' : 'private')),
    openPullRequests: async () => {
      const open = await api.all({ path: pulls, query: { ...pageSize, state: 'OPEN' } }, serverPullRequest)
      for (const pull of open) await bringHead(api, pulls, pull)
      return open
    },
    pullRequest: (number) => api.one({ path: [...pulls, number] }, serverPullRequest),
    status: (sha, key) => api.find({ path: builds(sha), query: { key } }, serverStatus),
    putStatus: async (sha, status) => {
      const { targetUrl } = status
      const url = isStatusUrl(targetUrl) ? targetUrl : await pageOfCommit(api, own, sha)
      await api.send('POST', { path: builds(sha) }, newServerStatus(status, url), () => undefined)
    },
    comments: async (number) => {
      const read = (item: unknown) => commentOfActivity(number, item)
      const found = await api.all({ path: [...pulls, number, 'activities'], query: pageSize }, read)
      return found.flatMap((comment) => comment ?? [])
    },
    addComment: (number, text) =>
      api.send('POST', { path: comments(number) }, { text }, (body) => serverComment(number, body)),
    changeComment: async (number, id, text) => {
      const path = [...comments(number), id]
      const version = await api.one({ path }, versionAt)
      return api.send('PUT', { path }, { text, version }, (body) => serverComment(number, body))
    },
    putAnnotations: (commit, annotations) => putServerAnnotations(api, repository, commit, annotations),
  }
}

function keeping(
  api: ForgeApi,
  pulls: readonly string[],
  { project, slug }: { project: string; slug: string },
): KeepingForge {
  const ref = (branch: string) => ({
    id: `refs/heads/${branch}`,
    repository: { slug, project: { key: project } },
  })
  const changeState = async (number: string, change: 'decline' | 'reopen') => {
    const path = [...pulls, number]
    const version = await api.one({ path }, versionAt)
    const query = { version: String(version) }
    return api.send('POST', { path: [...path, change], query }, { version }, serverPullRequest)
  }
  return {
    openBetween: async (head, base) => {
      const query = { ...pageSize, state: 'OPEN', at: `refs/heads/${base}` }
      const open = await api.all({ path: pulls, query }, serverPullRequest)
      return open.find((pull) => !pull.isFork && pull.headBranch === head && pull.baseBranch === base)
    },
    open: ({ head, base, title, body }) => {
      const parts = { title, description: body, fromRef: ref(head), toRef: ref(base) }
      return api.send('POST', { path: pulls }, parts, serverPullRequest)
    },
    update: async (number, { title, body }) => {
      const path = [...pulls, number]
      const { version, reviewers } = await api.one({ path }, (found) => ({
        version: versionAt(found),
        reviewers: reviewersAt(found),
      }))
      // A change without reviewers removes them.
      const asked = reviewers.map((name) => ({ user: { name } }))
      const parts = { version, title, description: body, reviewers: asked }
      return api.send('PUT', { path }, parts, serverPullRequest)
    },
    close: (number) => changeState(number, 'decline'),
    reopen: (number) => changeState(number, 'reopen'),
    addLabels: async () => {
      throw new InvalidInputError('pull requests of Bitbucket have no labels')
    },
    reviewers: (number) => api.one({ path: [...pulls, number] }, reviewersAt),
    addReviewers: async ({ number }, accounts) => {
      const path = [...pulls, number, 'participants']
      for (const name of accounts) {
        await api.send('POST', { path }, { user: { name }, role: 'REVIEWER' }, () => undefined)
      }
    },
    mergeability: (pull) => mergeability(api, pulls, pull),
    merge: (number, wanted) => merge(api, [...pulls, number], wanted),
  }
}

/** Merges the pull request in the version that has the wanted head. */
async function merge(
  api: ForgeApi,
  path: readonly string[],
  { method, headSha }: { method: MergeMethod; headSha: string },
): Promise<void> {
  const { version, newest } = await api.one({ path }, (found) => ({
    version: versionAt(found),
    newest: serverPullRequest(found).headSha,
  }))
  if (newest !== headSha) {
    throw new FailedPreconditionError('the head of the pull request moved', { code: 'http-409' })
  }
  const parts = { version, strategyId: mergeStrategies[method] }
  const query = { version: String(version) }
  await api.send('POST', { path: [...path, 'merge'], query }, parts, () => undefined)
}

/** The commits of a fork come to the repository when somebody looks at the changes of the pull request. */
async function bringHead(api: ForgeApi, pulls: readonly string[], pull: KeptPullRequest): Promise<void> {
  const { isFork, number, headSha } = pull
  const key = [...pulls, headSha].join('/')
  if (!isFork || headSha === '' || broughtHeads.has(key)) return
  await api.one({ path: [...pulls, number, 'changes'], query: { limit: '1' } }, () => undefined)
  broughtHeads.set(key, true)
}

async function pageOfCommit(api: ForgeApi, repository: readonly string[], sha: string): Promise<string> {
  const page = await api.one({ path: repository }, pageOf)
  return `${page.replace(/\/browse$/, '')}/commits/${sha}`
}

function versionAt(body: unknown): number {
  return Number(textAt(body, 'version'))
}

function reviewersAt(body: unknown): string[] {
  return listAt(body, 'reviewers').map((reviewer) => textAt(reviewer, 'user.name'))
}

/** Wadi waits for all builds, also for those that the repository does not require. */
async function mergeability(
  api: ForgeApi,
  pulls: readonly string[],
  { number, headSha }: KeptPullRequest,
): Promise<Mergeability> {
  const found = await api.one({ path: [...pulls, number, 'merge'] }, (body) => ({
    isConflicted: isTrueAt(body, 'conflicted'),
    vetoes: listAt(body, 'vetoes').map((veto) => optionalTextAt(veto, 'summaryMessage') ?? 'a merge check'),
  }))
  if (found.isConflicted) {
    return { isReady: false, waitingFor: 'it conflicts with the branch that it is merged to' }
  }
  if (found.vetoes.length > 0) return { isReady: false, waitingFor: found.vetoes.join('; ') }
  const path = ['build-status', 'latest', 'commits', 'stats', headSha]
  const unfinished = await api.one({ path, query: { includeUnique: 'false' } }, (body) =>
    ['failed', 'inProgress', 'cancelled', 'unknown'].some(
      (kind) => Number(optionalTextAt(body, kind) ?? 0) > 0,
    ),
  )
  return unfinished ? { isReady: false, waitingFor: 'checks have not passed' } : { isReady: true }
}
