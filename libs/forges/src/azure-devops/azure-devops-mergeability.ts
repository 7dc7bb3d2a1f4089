import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, optionalTextAt, textAt, valueAt } from '../forge-values.ts'
import type { KeptPullRequest, Mergeability } from '../pull-requests/pull-request-forge.ts'

/** Reasons for which Azure DevOps cannot merge. */
const waits: Readonly<Record<string, string>> = {
  conflicts: 'it conflicts with the branch that it is merged to',
  rejectedByPolicy: 'a policy of the branch is not met',
}

/** Conflicts, policies of the branch, and statuses of the commit, also those that no policy requires. */
export async function azureMergeability(
  api: ForgeApi,
  {
    project,
    pulls,
    commits,
  }: { project: readonly string[]; pulls: readonly string[]; commits: readonly string[] },
  { number, headSha }: KeptPullRequest,
): Promise<Mergeability> {
  const { status, failure, projectId } = await api.one({ path: [...pulls, number] }, (body) => ({
    status: optionalTextAt(body, 'mergeStatus') ?? '',
    failure: optionalTextAt(body, 'mergeFailureMessage') ?? '',
    projectId: textAt(body, 'repository.project.id'),
  }))
  if (status !== 'succeeded') {
    const unknown = 'Azure DevOps has not found out yet whether it can be merged'
    return { isReady: false, waitingFor: waits[status] ?? (failure === '' ? unknown : failure) }
  }
  const unmet = await unmetPolicies(api, project, `vstfs:///CodeReview/CodeReviewId/${projectId}/${number}`)
  if (unmet.length > 0) return { isReady: false, waitingFor: `policies of the branch: ${unmet.join(', ')}` }
  const query = { latestOnly: 'true' }
  const states = await api.all({ path: [...commits, headSha, 'statuses'], query }, (item) =>
    optionalTextAt(item, 'state'),
  )
  return states.every((state) => state === 'succeeded' || state === 'notApplicable')
    ? { isReady: true }
    : { isReady: false, waitingFor: 'checks have not passed' }
}

/** Names of the policies that keep a pull request from being completed. */
async function unmetPolicies(
  api: ForgeApi,
  project: readonly string[],
  artifactId: string,
): Promise<string[]> {
  const query = { artifactId, $top: '100', $skip: '0', 'api-version': '7.0-preview.1' }
  const found = await api.all({ path: [...project, '_apis', 'policy', 'evaluations'], query }, (item) => {
    const policy = valueAt(item, 'configuration')
    const isMet = ['approved', 'notApplicable'].includes(optionalTextAt(item, 'status') ?? '')
    const isBlocking = isTrueAt(policy, 'isBlocking') && isTrueAt(policy, 'isEnabled')
    return isMet || !isBlocking ? [] : [optionalTextAt(policy, 'type.displayName') ?? 'one without a name']
  })
  return [...new Set(found.flat())]
}
