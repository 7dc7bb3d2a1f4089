import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, listAt, longTextAt, optionalTextAt, textAt } from '../forge-values.ts'
import { pullRequestOfGithub, statusOfGithub } from './github-answers.ts'
import { putGithubAnnotations } from './github-annotations.ts'
import type {
  ForgeComment,
  Mergeability,
  PullRequestForge,
  ReviewingForge,
  KeepingForge,
} from '../pull-requests/pull-request-forge.ts'

const pageSize = { per_page: '100' }

/** The meaning of GitHub's states for somebody who waits for the merge. */
const waits: Readonly<Record<string, string>> = {
  behind: 'the branch is behind the one that it is merged to',
  blocked: 'a rule of the branch is not met, such as a review or a check',
  dirty: 'it conflicts with the branch that it is merged to',
  draft: 'it is a draft',
  unstable: 'checks have not passed',
}

/** The pull requests of a repository of GitHub. */
export function githubForge(api: ForgeApi, owner: string, repo: string): PullRequestForge {
  return { ...reviewing(api, ['repos', owner, repo]), ...keeping(api, owner, repo) }
}

function reviewing(api: ForgeApi, repository: readonly string[]): ReviewingForge {
  const pulls = [...repository, 'pulls']
  const comments = (number: string) => [...repository, 'issues', number, 'comments']
  const read = pullRequestOfGithub
  return {
    limits: { comment: 65_536, description: 140, title: 256 },
    hidden: (marker) => `<!-- ${marker} -->`,
    shown: (report) => report,
    visibility: () =>
      api.one({ path: repository }, (body) => {
        if (optionalTextAt(body, 'visibility') === 'internal') return 'internal'
        return isTrueAt(body, 'private') ? 'private' : 'public'
      }),
    openPullRequests: () => api.all({ path: pulls, query: { ...pageSize, state: 'open' } }, read),
    pullRequest: (number) => api.one({ path: [...pulls, number] }, read),
    status: async (sha, context) => {
      const path = [...repository, 'commits', sha, 'status']
      const found = await api.one({ path, query: pageSize }, (body) =>
        listAt(body, 'statuses').map(statusOfGithub),
      )
      return found.find((status) => status.context === context)
    },
    putStatus: (sha, { context, state, description, targetUrl }) => {
      const body = { state, context, description, ...(targetUrl !== '' && { target_url: targetUrl }) }
      return api.send('POST', { path: [...repository, 'statuses', sha] }, body, () => undefined)
    },
    comments: (number) => api.all({ path: comments(number), query: pageSize }, commentOf),
    addComment: (number, body) => api.send('POST', { path: comments(number) }, { body }, commentOf),
    changeComment: (_number, id, body) =>
      api.send('PATCH', { path: [...repository, 'issues', 'comments', id] }, { body }, commentOf),
    putAnnotations: (commit, annotations) => putGithubAnnotations(api, repository, commit, annotations),
  }
}

function keeping(api: ForgeApi, owner: string, repo: string): KeepingForge {
  const pulls = ['repos', owner, repo, 'pulls']
  const read = pullRequestOfGithub
  return {
    openBetween: async (head, base) => {
      const query = { ...pageSize, state: 'open', head: `${owner}:${head}`, base }
      const found = await api.all({ path: pulls, query }, read)
      // GitHub ignores a filter that it does not understand.
      return found.find((pull) => !pull.isFork && pull.headBranch === head && pull.baseBranch === base)
    },
    open: (parts) => api.send('POST', { path: pulls }, parts, read),
    update: (number, parts) => api.send('PATCH', { path: [...pulls, number] }, parts, read),
    close: (number) => api.send('PATCH', { path: [...pulls, number] }, { state: 'closed' }, read),
    addLabels: ({ number }, labels) =>
      api.send(
        'POST',
        { path: ['repos', owner, repo, 'issues', number, 'labels'] },
        { labels },
        () => undefined,
      ),
    reviewers: async (number) => {
      const asked = await api.one({ path: [...pulls, number] }, (body) =>
        listAt(body, 'requested_reviewers').map((account) => textAt(account, 'login')),
      )
      const path = [...pulls, number, 'reviews']
      const given = await api.all(
        { path, query: pageSize },
        (item) => optionalTextAt(item, 'user.login') ?? '',
      )
      return [...asked, ...given]
    },
    addReviewers: ({ number }, reviewers) => {
      const path = [...pulls, number, 'requested_reviewers']
      return api.send('POST', { path }, { reviewers }, () => undefined)
    },
    mergeability: ({ number }) => api.one({ path: [...pulls, number] }, mergeabilityOf),
    merge: (number, { method, headSha }) => {
      const body = { merge_method: method, sha: headSha }
      return api.send('PUT', { path: [...pulls, number, 'merge'] }, body, () => undefined)
    },
  }
}

function commentOf(item: unknown): ForgeComment {
  return { id: textAt(item, 'id'), body: longTextAt(item, 'body'), url: textAt(item, 'html_url') }
}

/** `mergeable` is null until GitHub has tried; `unstable` is mergeable with checks that fail or run. */
function mergeabilityOf(body: unknown): Mergeability {
  const state = optionalTextAt(body, 'mergeable_state') ?? 'unknown'
  const isClean = state === 'clean' || state === 'has_hooks'
  if (isTrueAt(body, 'mergeable') && isClean) return { isReady: true }
  return {
    isReady: false,
    waitingFor: waits[state] ?? 'GitHub has not found out yet whether it can be merged',
  }
}
