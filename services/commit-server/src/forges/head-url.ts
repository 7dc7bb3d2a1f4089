import type { KeptPullRequest } from '@wadi/forges/pull-requests/pull-request-forge.ts'

const repositoryPath = /^[\w{}][\w.{}-]*\/[\w{}][\w.{}-]*$/

/**
 * The repository that the head of a pull request is to be fetched from: on the host of the repository that it was opened in, reached in the
 * same way. Empty when that one hands the head out, or when the fork is gone.
 * @param repository the path of that repository in its forge, which its URL ends with
 */
export function headUrl(
  repoUrl: string,
  repository: string,
  { isHeadElsewhere, headRepository }: Pick<KeptPullRequest, 'isHeadElsewhere' | 'headRepository'>,
): string {
  const at = repoUrl.lastIndexOf(repository)
  if (!isHeadElsewhere || !repositoryPath.test(headRepository) || at === -1) return ''
  return `${repoUrl.slice(0, at)}${headRepository}${repoUrl.slice(at + repository.length)}`
}
