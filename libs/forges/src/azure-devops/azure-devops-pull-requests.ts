import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from '../forge-api.ts'
import { optionalTextAt, textAt } from '../forge-values.ts'
import type {
  CommitStatus,
  KeepingForge,
  KeptPullRequest,
  MergeMethod,
  PullRequestForge,
  ReviewingForge,
} from '../pull-requests/pull-request-forge.ts'
import {
  azureComment,
  azurePullRequest,
  azureStatus,
  commentOfThread,
  newAzureStatus,
} from './azure-devops-answers.ts'
import { azureMergeability } from './azure-devops-mergeability.ts'
import { reviewerIds, reviewersAt } from './azure-devops-reviewers.ts'

/** First page; the API takes at most 1000 items a page. */
const firstPage = { $top: '100', $skip: '0' }

const mergeStrategies = { merge: 'noFastForward', squash: 'squash', rebase: 'rebase' } as const

/** Paths in the API, whose spellings of pull requests are two. */
interface Paths {
  /** Path of the project, below that of the organization where the API is not in one. */
  readonly project: readonly string[]
  readonly repository: readonly string[]
  readonly pulls: readonly string[]
  readonly parts: (number: string) => readonly string[]
}

/**
 * Pull requests of a repository of Azure DevOps.
 * @param project path of its project
 */
export function azureForge(api: ForgeApi, project: readonly string[], name: string): PullRequestForge {
  const repository = [...project, '_apis', 'git', 'repositories', name]
  const paths: Paths = {
    project,
    repository,
    pulls: [...repository, 'pullrequests'],
    parts: (number) => [...repository, 'pullRequests', number],
  }
  return { ...reviewing(api, paths), ...keeping(api, paths) }
}

function reviewing(api: ForgeApi, { repository, pulls, parts }: Paths): ReviewingForge {
  const statuses = (sha: string) => [...repository, 'commits', sha, 'statuses']
  const threads = (number: string) => [...parts(number), 'threads']
  return {
    limits: { comment: 150_000, description: 255, title: 400, body: 4_000 },
    hidden: (marker) => `[//]: # (${marker})`,
    shown: (report) => report,
    visibility: () =>
      api.one({ path: repository }, (body) => {
        const visibility = optionalTextAt(body, 'project.visibility')
        if (visibility === 'public') return 'public'
        return visibility === 'organization' ? 'internal' : 'private'
      }),
    openPullRequests: () => api.all({ path: pulls, query: activePulls() }, azurePullRequest),
    pullRequest: (number) => api.one({ path: [...pulls, number] }, azurePullRequest),
    status: async (sha, context) => {
      const query = { latestOnly: 'true' }
      const found = await api.all({ path: statuses(sha), query }, azureStatus)
      return found.find((status) => status.context === context)
    },
    putStatus: async (sha, status, number) => {
      if (number !== undefined) await putPullRequestStatus(api, parts(number), sha, status)
      // The last one, as it shows that both are there.
      await api.send('POST', { path: statuses(sha) }, newAzureStatus(status), () => undefined)
    },
    comments: async (number) => {
      const found = await api.all({ path: threads(number) }, commentOfThread)
      return found.flatMap((comment) => comment ?? [])
    },
    addComment: (number, content) => {
      // Without a status, as an active thread may block the merge and a closed one is folded.
      const thread = { comments: [{ content, commentType: 'text', parentCommentId: 0 }] }
      return api.send('POST', { path: threads(number) }, thread, (body) => {
        const comment = commentOfThread(body)
        if (comment) return comment
        throw new FailedPreconditionError('the answer is not the comment that was written')
      })
    },
    changeComment: (number, id, content) => {
      const [thread = '', comment = ''] = id.split('/')
      const path = [...threads(number), thread, 'comments', comment]
      return api.send('PATCH', { path }, { content }, (body) => azureComment(thread, body))
    },
    putAnnotations: () => Promise.resolve('unsupported'),
  }
}

/** The status that people see, and that policies of branches require, belongs to the pull request: to the push that brought the commit. */
async function putPullRequestStatus(
  api: ForgeApi,
  pull: readonly string[],
  sha: string,
  status: CommitStatus,
): Promise<void> {
  const pushes = await api.all({ path: [...pull, 'iterations'] }, (item) => ({
    id: Number(textAt(item, 'id')),
    sha: optionalTextAt(item, 'sourceRefCommit.commitId'),
  }))
  const push = pushes.findLast((one) => one.sha === sha)
  const body = { ...newAzureStatus(status), ...(push && { iterationId: push.id }) }
  await api.send('POST', { path: [...pull, 'statuses'] }, body, () => undefined)
}

function keeping(api: ForgeApi, { project, pulls, parts }: Paths): KeepingForge {
  const one = (number: string) => api.one({ path: [...pulls, number] }, azurePullRequest)
  const change = (number: string, body: Record<string, unknown>) =>
    api.send('PATCH', { path: [...pulls, number] }, body, azurePullRequest)
  const ref = (branch: string) => `refs/heads/${branch}`
  return {
    openBetween: async (head, base) => {
      const found = await api.all({ path: pulls, query: activePulls(ref(head), ref(base)) }, azurePullRequest)
      const own = found.find((pull) => !pull.isFork && pull.headBranch === head && pull.baseBranch === base)
      // The list cuts descriptions.
      return own && one(own.number)
    },
    open: ({ head, base, title, body }) => {
      const pull = { sourceRefName: ref(head), targetRefName: ref(base), title, description: body }
      return api.send('POST', { path: pulls }, pull, azurePullRequest)
    },
    update: (number, { title, body }) => change(number, { title, description: body }),
    close: (number) => change(number, { status: 'abandoned' }),
    reopen: (number) => change(number, { status: 'active' }),
    addLabels: async ({ number }, labels) => {
      for (const name of labels) {
        await api.send('POST', { path: [...parts(number), 'labels'] }, { name }, () => undefined)
      }
    },
    reviewers: (number) =>
      api.one({ path: [...pulls, number] }, (body) => reviewersAt(body).flatMap(({ names }) => names)),
    addReviewers: async ({ number }, accounts) => {
      for (const id of await reviewerIds(api, project, accounts)) {
        const path = [...parts(number), 'reviewers', id]
        await api.send('PUT', { path }, { id, vote: 0 }, () => undefined)
      }
    },
    mergeability: (pull) =>
      azureMergeability(api, { project, pulls, commits: [...pulls.slice(0, -1), 'commits'] }, pull),
    merge: (number, wanted) => complete(api, [...pulls, number], wanted),
  }
}

function activePulls(head?: string, base?: string): Record<string, string> {
  return {
    ...firstPage,
    'searchCriteria.status': 'active',
    ...(head !== undefined && { 'searchCriteria.sourceRefName': head }),
    ...(base !== undefined && { 'searchCriteria.targetRefName': base }),
  }
}

/** Azure DevOps may complete a pull request only after its answer: it counts as merged when the pull request says so. */
async function complete(
  api: ForgeApi,
  path: readonly string[],
  { method, headSha }: { method: MergeMethod; headSha: string },
): Promise<void> {
  const body = {
    status: 'completed',
    lastMergeSourceCommit: { commitId: headSha },
    completionOptions: { mergeStrategy: mergeStrategies[method], deleteSourceBranch: false },
  }
  const stateOf = (answer: unknown): KeptPullRequest['state'] => azurePullRequest(answer).state
  const answered = await api.send('PATCH', { path }, body, stateOf)
  const state = answered === 'open' ? await api.one({ path }, stateOf) : answered
  if (state === 'merged') return
  throw new FailedPreconditionError('Azure DevOps has not completed it yet', { code: 'http-409' })
}
