import { DomainError, FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, listAt, optionalTextAt, textAt } from '../forge-values.ts'
import { putBitbucketAnnotations } from './bitbucket-annotations.ts'
import {
  bitbucketComment,
  bitbucketPullRequest,
  bitbucketStatus,
  newBitbucketStatus,
  statusKey,
} from './bitbucket-answers.ts'
import { withFullHead, withFullHeads } from './bitbucket-heads.ts'
import { unfolded } from '../pull-requests/unfolded.ts'
import type {
  KeepingForge,
  KeptPullRequest,
  Mergeability,
  PullRequestForge,
  ReviewingForge,
} from '../pull-requests/pull-request-forge.ts'

/** Of pull requests Bitbucket gives at most 50 a page, of everything else 100. */
const pullPage = { pagelen: '50' }
const pageSize = { pagelen: '100' }

const mergeStrategies = { merge: 'merge_commit', squash: 'squash', rebase: 'rebase_merge' } as const

/** The pull requests of a repository of Bitbucket Cloud. */
export function bitbucketForge(api: ForgeApi, workspace: string, name: string): PullRequestForge {
  const repository = ['repositories', workspace, name]
  return { ...reviewing(api, repository), ...keeping(api, repository) }
}

function reviewing(api: ForgeApi, repository: readonly string[]): ReviewingForge {
  const pulls = [...repository, 'pullrequests']
  const comments = (number: string) => [...pulls, number, 'comments']
  const content = (body: string) => ({ type: 'pullrequest_comment', content: { raw: body } })
  return {
    limits: { comment: 32_768, description: 255, title: 255 },
    // Bitbucket shows comments of HTML; a link that nothing refers to is not shown.
    hidden: (marker) => `[//]: # (${marker})`,
    shown: unfolded,
    visibility: () =>
      api.one({ path: repository }, (body) => (isTrueAt(body, 'is_private') ? 'private' : 'public')),
    openPullRequests: async () => {
      const open = await api.all({ path: pulls, query: { ...pullPage, state: 'OPEN' } }, bitbucketPullRequest)
      return withFullHeads(api, repository, open)
    },
    pullRequest: async (number) =>
      withFullHead(api, repository, await api.one({ path: [...pulls, number] }, bitbucketPullRequest)),
    status: (sha, context) => {
      const path = [...repository, 'commit', sha, 'statuses', 'build', statusKey(context)]
      return api.find({ path }, (body) => ({ ...bitbucketStatus(body), context }))
    },
    putStatus: (sha, status) => {
      const path = [...repository, 'commit', sha, 'statuses', 'build']
      return api.send('POST', { path }, newBitbucketStatus(sha, status), () => undefined)
    },
    comments: async (number) => {
      const found = await api.all({ path: comments(number), query: pageSize }, (item) =>
        bitbucketComment(item),
      )
      return found.flatMap((comment) => comment ?? [])
    },
    ownComments: async (number) => {
      const own = await ownAccount(api)
      if (own === undefined) return []
      const read = (item: unknown) => bitbucketComment(item, own)
      const found = await api.all({ path: comments(number), query: pageSize }, read)
      return found.flatMap((comment) => comment ?? [])
    },
    addComment: (number, body) => api.send('POST', { path: comments(number) }, content(body), writtenComment),
    changeComment: (number, id, body) =>
      api.send('PUT', { path: [...comments(number), id] }, content(body), writtenComment),
    putAnnotations: (commit, annotations) => putBitbucketAnnotations(api, repository, commit, annotations),
  }
}

function keeping(api: ForgeApi, repository: readonly string[]): KeepingForge {
  const pulls = [...repository, 'pullrequests']
  const full = async (pull: Promise<KeptPullRequest>) => withFullHead(api, repository, await pull)
  const change = async (number: string, parts: Record<string, unknown>) => {
    const path = [...pulls, number]
    // A change without reviewers removes them.
    const reviewers = parts['reviewers'] ?? (await reviewersOf(api, path)).map(({ uuid }) => account(uuid))
    const body = { type: 'pullrequest', ...parts, reviewers }
    return full(api.send('PUT', { path }, body, bitbucketPullRequest))
  }
  return {
    openBetween: async (head, base) => {
      const open = await api.all({ path: pulls, query: { ...pullPage, state: 'OPEN' } }, bitbucketPullRequest)
      const found = open.find((pull) => !pull.isFork && pull.headBranch === head && pull.baseBranch === base)
      return found && withFullHead(api, repository, found)
    },
    open: ({ head, base, title, body }) => {
      const [source, destination] = [head, base].map((name) => ({ branch: { name } }))
      const parts = { type: 'pullrequest', title, description: body, source, destination }
      return full(api.send('POST', { path: pulls }, parts, bitbucketPullRequest))
    },
    update: (number, { title, body }) => change(number, { title, description: body }),
    close: (number) =>
      full(api.send('POST', { path: [...pulls, number, 'decline'] }, undefined, bitbucketPullRequest)),
    addLabels: async () => {
      throw new InvalidInputError('pull requests of Bitbucket have no labels')
    },
    reviewers: async (number) => (await reviewersOf(api, [...pulls, number])).flatMap(({ names }) => names),
    addReviewers: async ({ number, title }, accounts) => {
      const known = await reviewersOf(api, [...pulls, number])
      const added = await uuidsOf(api, repository[1] ?? '', accounts)
      const uuids = new Set([...known.map(({ uuid }) => uuid), ...added])
      await change(number, { title, reviewers: [...uuids].map(account) })
    },
    mergeability: ({ number }) => mergeability(api, [...pulls, number]),
    merge: async (number, { method, headSha }) => {
      // Bitbucket merges whatever is there: this is the last moment to see another head.
      const { headSha: newest } = await full(api.one({ path: [...pulls, number] }, bitbucketPullRequest))
      if (newest !== headSha)
        throw new FailedPreconditionError('the head of the pull request moved', { code: 'http-409' })
      const body = { type: 'pullrequest_merge_parameters', merge_strategy: mergeStrategies[method] }
      await api.send('POST', { path: [...pulls, number, 'merge'] }, body, () => undefined)
    },
  }
}

/** The account of the token; undefined for a token that may not read it. */
async function ownAccount(api: ForgeApi): Promise<string | undefined> {
  try {
    return await api.one({ path: ['user'] }, (body) => textAt(body, 'uuid'))
  } catch (error) {
    if (error instanceof DomainError && ['http-401', 'http-403', 'http-404'].includes(error.code ?? ''))
      return undefined
    throw error
  }
}

function writtenComment(body: unknown) {
  const comment = bitbucketComment(body)
  if (comment) return comment
  throw new FailedPreconditionError('the answer is not the comment that was written')
}

function account(uuid: string): { type: string; uuid: string } {
  return { type: 'user', uuid }
}

/** An account in all of its names: accounts of Bitbucket have no name of their own that is one for all. */
function accountOf(item: unknown, at = ''): { uuid: string; names: string[] } {
  const uuid = textAt(item, `${at}uuid`)
  const others = ['account_id', 'nickname'].flatMap((name) => optionalTextAt(item, `${at}${name}`) ?? [])
  return { uuid, names: [uuid, ...others] }
}

async function reviewersOf(api: ForgeApi, path: readonly string[]) {
  return api.one({ path }, (body) => listAt(body, 'reviewers').map((item) => accountOf(item)))
}

/** @throws InvalidInputError for one who is no member of the workspace */
async function uuidsOf(api: ForgeApi, workspace: string, names: readonly string[]): Promise<string[]> {
  const path = ['workspaces', workspace, 'members']
  const members = await api.all({ path, query: pageSize }, (item) => accountOf(item, 'user.'))
  return names.map((name) => {
    const found = members.find((member) => member.names.includes(name))
    if (found) return found.uuid
    throw new InvalidInputError(`Bitbucket knows no account ${JSON.stringify(name)} in ${workspace}`)
  })
}

/** Conflicts and the rules of the branch are found out by the merge itself. */
async function mergeability(api: ForgeApi, path: readonly string[]): Promise<Mergeability> {
  const states = await api.all({ path: [...path, 'statuses'], query: pageSize }, (item) =>
    textAt(item, 'state'),
  )
  return states.every((state) => state === 'SUCCESSFUL')
    ? { isReady: true }
    : { isReady: false, waitingFor: 'checks have not passed' }
}
