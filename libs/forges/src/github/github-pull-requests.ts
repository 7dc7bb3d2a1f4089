import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, optionalTextAt } from '../forge-values.ts'
import { pullRequestOfGithub } from './github-answers.ts'
import { putGithubAnnotations } from './github-annotations.ts'
import { commentInGithubForm, commentsPath, pullsInGithubForm } from './github-form-pulls.ts'
import type { Mergeability, PullRequestForge } from '../pull-requests/pull-request-forge.ts'

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
  const repository = ['repos', owner, repo]
  const pulls = [...repository, 'pulls']
  return {
    ...pullsInGithubForm(api, repository, pageSize),
    limits: { comment: 65_536, description: 140, title: 256 },
    visibility: () =>
      api.one({ path: repository }, (body) => {
        if (optionalTextAt(body, 'visibility') === 'internal') return 'internal'
        return isTrueAt(body, 'private') ? 'private' : 'public'
      }),
    putStatus: (sha, { context, state, description, targetUrl }) => {
      const body = { state, context, description, ...(targetUrl !== '' && { target_url: targetUrl }) }
      return api.send('POST', { path: [...repository, 'statuses', sha] }, body, () => undefined)
    },
    comments: (number) =>
      api.all({ path: commentsPath(repository, number), query: pageSize }, commentInGithubForm),
    putAnnotations: (commit, annotations) => putGithubAnnotations(api, repository, commit, annotations),
    openBetween: async (head, base) => {
      const query = { ...pageSize, state: 'open', head: `${owner}:${head}`, base }
      const found = await api.all({ path: pulls, query }, pullRequestOfGithub)
      // GitHub ignores a filter that it does not understand.
      return found.find((pull) => !pull.isFork && pull.headBranch === head && pull.baseBranch === base)
    },
    addLabels: ({ number }, labels) => {
      const path = [...repository, 'issues', number, 'labels']
      return api.send('POST', { path }, { labels }, () => undefined)
    },
    mergeability: ({ number }) => api.one({ path: [...pulls, number] }, mergeabilityOf),
    merge: (number, { method, headSha }) => {
      const body = { merge_method: method, sha: headSha }
      return api.send('PUT', { path: [...pulls, number, 'merge'] }, body, () => undefined)
    },
  }
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
