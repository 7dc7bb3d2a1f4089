import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, listAt, longTextAt, optionalTextAt, textAt } from '../forge-values.ts'
import type { ForgeComment, PullRequestForge } from '../pull-requests/pull-request-forge.ts'
import { pullRequestOfGithub, statusOfGithub } from './github-answers.ts'

/** The parts of a repository that GitHub, Gitea and Forgejo have in common. */
type CommonParts =
  | 'hidden'
  | 'shown'
  | 'isProtected'
  | 'openPullRequests'
  | 'pullRequest'
  | 'status'
  | 'addComment'
  | 'changeComment'
  | 'open'
  | 'update'
  | 'close'
  | 'reopen'
  | 'reviewers'
  | 'addReviewers'

/** Returns what an API in the form of GitHub's has of a repository; `query` asks for pages of the forge's size. */
export function pullsInGithubForm(
  api: ForgeApi,
  repository: readonly string[],
  query: Readonly<Record<string, string>>,
): Pick<PullRequestForge, CommonParts> {
  const pulls = [...repository, 'pulls']
  const read = pullRequestOfGithub
  const reviewersAt = async (number: string) => {
    const asked = await api.one({ path: [...pulls, number] }, (body) =>
      listAt(body, 'requested_reviewers').map((account) => textAt(account, 'login')),
    )
    const path = [...pulls, number, 'reviews']
    const given = await api.all({ path, query }, (item) => optionalTextAt(item, 'user.login') ?? '')
    return [...asked, ...given]
  }
  const changeState = (number: string, state: 'open' | 'closed') =>
    api.send('PATCH', { path: [...pulls, number] }, { state }, read)
  return {
    hidden: (marker) => `<!-- ${marker} -->`,
    shown: (report) => report,
    isProtected: (branch) =>
      api.find({ path: [...repository, 'branches', branch] }, (body) => isTrueAt(body, 'protected')),
    openPullRequests: () => api.all({ path: pulls, query: { ...query, state: 'open' } }, read),
    pullRequest: (number) => api.one({ path: [...pulls, number] }, read),
    status: async (sha, context) => {
      const path = [...repository, 'commits', sha, 'status']
      const found = await api.one({ path, query }, (body) => listAt(body, 'statuses').map(statusOfGithub))
      return found.find((status) => status.context === context)
    },
    addComment: (number, body) =>
      api.send('POST', { path: commentsPath(repository, number) }, { body }, commentInGithubForm),
    changeComment: (_number, id, body) =>
      api.send('PATCH', { path: [...repository, 'issues', 'comments', id] }, { body }, commentInGithubForm),
    open: (parts) => api.send('POST', { path: pulls }, parts, read),
    update: (number, parts) => api.send('PATCH', { path: [...pulls, number] }, parts, read),
    close: (number) => changeState(number, 'closed'),
    reopen: (number) => changeState(number, 'open'),
    reviewers: reviewersAt,
    addReviewers: ({ number }, reviewers) => {
      const path = [...pulls, number, 'requested_reviewers']
      return api.send('POST', { path }, { reviewers }, () => undefined)
    },
  }
}

/** Path of the comments of a pull request. */
export function commentsPath(repository: readonly string[], number: string): readonly string[] {
  return [...repository, 'issues', number, 'comments']
}

/** Reads a comment. */
export function commentInGithubForm(item: unknown): ForgeComment {
  return { id: textAt(item, 'id'), body: longTextAt(item, 'body'), url: textAt(item, 'html_url') }
}
