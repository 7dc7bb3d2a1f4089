import { cutLine } from './cut-text.ts'
import type { CommitStatus, KeptPullRequest, ReviewingForge } from './pull-request-forge.ts'

type ForkForge = Pick<ReviewingForge, 'hidden' | 'limits' | 'ownComments' | 'status'>

const states = ['pending', 'success', 'failure', 'error'] as const

/** True if the status of a pull request's head is kept in its comment, as the forge has none for commits of forks. */
export function isStatusInComment(
  { ownComments }: Pick<ForkForge, 'ownComments'>,
  { isFork }: Pick<KeptPullRequest, 'isFork'>,
): boolean {
  return isFork && ownComments !== undefined
}

/**
 * The newest status of a context. What somebody else wrote into a comment is none.
 * @param forkNumber the pull request of a fork whose head the commit is; empty for none
 */
export async function reviewedStatus(
  forge: ForkForge,
  { sha, context, forkNumber }: { sha: string; context: string; forkNumber: string },
): Promise<CommitStatus | undefined> {
  if (forkNumber === '' || !forge.ownComments) return forge.status(sha, context)
  const own = await forge.ownComments(forkNumber)
  const lines = new Set(own.flatMap(({ body }) => body.split(/\r?\n/, 2)))
  const state = states.find((one) => lines.has(forge.hidden(keptStatus(context, one, sha))))
  return state && { context, state, description: '', targetUrl: '' }
}

/** The body of a comment with the status of a commit in it: hidden for Wadi, and in words for people. */
export function withStatus(
  forge: ForkForge,
  sha: string,
  { context, state, description, targetUrl }: CommitStatus,
  body: string,
): string {
  const text = cutLine(description.replaceAll('`', "'"), forge.limits.description)
  const link = targetUrl === '' || body !== '' ? '' : ` [Details](${targetUrl})`
  return `${forge.hidden(keptStatus(context, state, sha))}\n\n**${context}: ${state}** \`${text}\`${link}\n\n${body}`
}

function keptStatus(context: string, state: CommitStatus['state'], sha: string): string {
  return `${context}:${state}:${sha}`
}
