import { createHash } from 'node:crypto'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import {
  type PullRequestSetting,
  pullRequestSettingOf,
} from '@wadi/resources/application/pull-request-setting.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { Member } from '../applications/application-index.ts'
import type { OperatorSettings } from '../operator-settings.ts'
import { factsOf } from '../applications/member-facts.ts'

/** The pull request that a hydrated branch is to have. */
export interface BranchPullRequest {
  readonly key: string
  readonly repoUrl: string
  readonly project: string
  readonly branch: string
  readonly baseBranch: string
  readonly members: readonly Member[]
  readonly setting: PullRequestSetting
  /** True if no setting wants it, and somebody asked for it. */
  readonly isRequested: boolean
  /** Digest of the setting and of the Applications whose changes it shows. */
  readonly settings: string
}

/**
 * Returns the pull request that the Applications of a branch want together: labels and reviewers of all, and a merge by Wadi only if every
 * one wants it. Undefined if they are deployed from the branch itself or none wants a pull request.
 * @param isAsked true if somebody asked for one whatever the settings say
 */
export async function wantedPullRequest(
  store: Pick<ResourceStore, 'get'>,
  key: string,
  members: readonly Member[],
  operator: OperatorSettings,
  isAsked = false,
): Promise<BranchPullRequest | undefined> {
  const [first] = members
  const target = first && hydratedBranchOf(first.application)
  if (!target || operator.isLeftToArgoCd) return undefined
  const baseBranch = first.spec.syncSource.targetBranch
  if (baseBranch === target.branch) return undefined
  const projects = new Map<string, Readonly<Record<string, string>>>()
  for (const name of new Set(members.map(({ application }) => application.project))) {
    const project = await store.get('AppProject', controlPlaneNamespace, name)
    projects.set(name, project?.metadata.annotations ?? {})
  }
  const chosen = members.map(({ application: { annotations, project } }) =>
    pullRequestSettingOf(annotations, projects.get(project) ?? {}, operator.pullRequests),
  )
  const isRequested = isAsked && chosen.every(({ policy }) => policy === 'none')
  const setting = joined(isRequested ? chosen.map((one) => ({ ...one, policy: 'open' })) : chosen)
  if (setting.policy === 'none') return undefined
  const parts = { setting, baseBranch, members: members.map(({ name, path }) => [name, path]) }
  const settings = createHash('sha256').update(canonicalJson(parts)).digest('base64url').slice(0, 22)
  const { commonProject: project } = factsOf(members)
  return { key, ...target, project, baseBranch, members, setting, isRequested, settings }
}

function joined(settings: readonly PullRequestSetting[]): PullRequestSetting {
  const wanting = settings.filter(({ policy }) => policy !== 'none')
  const unique = (names: readonly string[]) => [...new Set(names)].toSorted()
  return {
    policy:
      wanting.length === 0 ? 'none' : settings.every(({ policy }) => policy === 'merge') ? 'merge' : 'open',
    method: wanting[0]?.method ?? 'merge',
    labels: unique(wanting.flatMap(({ labels }) => labels)),
    reviewers: unique(wanting.flatMap(({ reviewers }) => reviewers)),
  }
}
