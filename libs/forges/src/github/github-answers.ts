import { isTrueAt, longTextAt, optionalTextAt, textAt, textsAt } from '../forge-values.ts'
import type { CommitStatus, KeptPullRequest } from '../pull-requests/pull-request-forge.ts'

// The answers of GitHub, as far as those of Gitea and Forgejo have their form.

/** Reads a pull request. */
export function pullRequestOfGithub(item: unknown): KeptPullRequest {
  const headRepository = optionalTextAt(item, 'head.repo.full_name') ?? ''
  const isMerged = optionalTextAt(item, 'merged_at') !== undefined || isTrueAt(item, 'merged')
  const isOpen = textAt(item, 'state') === 'open'
  return {
    number: textAt(item, 'number'),
    title: textAt(item, 'title'),
    body: longTextAt(item, 'body'),
    url: textAt(item, 'html_url'),
    headSha: textAt(item, 'head.sha'),
    headBranch: textAt(item, 'head.ref'),
    headRepository,
    baseBranch: textAt(item, 'base.ref'),
    isFork: headRepository !== (optionalTextAt(item, 'base.repo.full_name') ?? ''),
    author: optionalTextAt(item, 'user.login') ?? '',
    isDraft: isTrueAt(item, 'draft'),
    updatedAt: optionalTextAt(item, 'updated_at') ?? '',
    state: isMerged ? 'merged' : isOpen ? 'open' : 'closed',
    labels: textsAt(item, 'labels'),
  }
}

/** Reads the status of a commit; Gitea has `status` where GitHub has `state`, and `warning` beside GitHub's states. */
export function statusOfGithub(item: unknown): CommitStatus {
  const state = optionalTextAt(item, 'state') ?? optionalTextAt(item, 'status') ?? ''
  return {
    context: textAt(item, 'context'),
    state: state === 'pending' || state === 'success' || state === 'failure' ? state : 'error',
    description: optionalTextAt(item, 'description') ?? '',
    targetUrl: optionalTextAt(item, 'target_url') ?? '',
  }
}
