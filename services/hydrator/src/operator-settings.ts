import { errorMessage } from '@wadi/errors/domain-error.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { compileMatcher } from '@wadi/patterns/automaton.ts'
import { parseDoubleStar } from '@wadi/patterns/double-star.ts'
import {
  type PullRequestChoice,
  readOperatorChoice,
} from '@wadi/resources/application/pull-request-setting.ts'
import type { GateRule } from './gates/gate-rules.ts'
import { chosenDefinitions, type DefinitionFacts } from './gates/cluster/cluster-definitions.ts'
import type { FollowedPolicies } from './gates/cluster/cluster-policies.ts'
import type { OperatorGates, PolicySources } from './gates/operator-gates.ts'
import type { ChosenPolicies, PolicyFileFacts } from './gates/operator-policies.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'

/** The dry commits of a branch that get a hydrated commit: the newest, or each. */
type Lineage = 'latest' | 'every'

/**
 * Reaction when somebody else deleted, rewound or edited a hydrated branch: only report it, put Wadi's files back at once, or hydrate
 * nothing there until somebody confirms.
 */
export type ForeignChangesPolicy = 'report' | 'restore' | 'block'

/** The treatment of a branch that another installation of Wadi hydrates: leave it alone and report it, or hydrate it all the same. */
type OtherInstallationsPolicy = 'leave' | 'take'

const otherInstallationsPolicies: readonly OtherInstallationsPolicy[] = ['leave', 'take']

const foreignChangesPolicies: readonly ForeignChangesPolicy[] = ['report', 'restore', 'block']

/** The operator's settings for all branches, in the ConfigMap `argocd-cm`. */
export interface OperatorSettings {
  /** `sourceHydrator.commitMessageTemplate`; Go template, undefined for the default message. */
  commitMessageTemplate: string | undefined
  /** `sourceHydrator.readmeMessageTemplate`; Go template, undefined for the default README. */
  readmeTemplate: string | undefined
  /** `commit.author.name`; empty for the commit-server's default. */
  authorName: string
  /** `commit.author.email`; empty for the commit-server's default. */
  authorEmail: string
  /** `sourceHydrator.lineage`; default `latest`. */
  lineage: Lineage
  /** `sourceHydrator.prune`: whether files that Wadi wrote and no Application claims go away; default false. */
  prune: boolean
  /** `sourceHydrator.foreignChanges`; default `report`. */
  foreignChanges: ForeignChangesPolicy
  /** `sourceHydrator.otherInstallations`; default `leave`. */
  otherInstallations: OtherInstallationsPolicy
  /** `sourceHydrator.branchPattern`: glob that every hydrated branch must match; empty for any. */
  branchPattern: string
  /** `sourceHydrator.pullRequests` and what belongs to it: the pull requests of Applications that choose nothing. */
  pullRequests: PullRequestChoice
  /** `wadi.gates`: the severities that gates have at least; absent for none. */
  gateRules?: readonly GateRule[]
  /** The files of the gate `operator-policies`, if a rule asks for it. */
  policyFiles?: readonly PolicyFileFacts[]
  /** The policies of the gate `cluster-policies`, if a rule asks for it. */
  clusterPolicies?: ChosenPolicies
  /** The definitions of the cluster that rules of the gate `schemas` name. */
  clusterDefinitions?: readonly DefinitionFacts[]
  /** The texts of all by the names that messages have: a map, which the digests of the settings leave out. */
  policyTexts?: ReadonlyMap<string, string>
  /** The errors in the settings, by key of `argocd-cm`; then every run only reports them. Empty if there are none. */
  error: string
  /** True if the Applications are left to Argo CD's own hydrator; `error` says so too. */
  isLeftToArgoCd: boolean
}

/** The ConfigMap of Argo CD's own settings, and the key that turns its hydrator on. */
export const argoCdParameters = { configMap: 'argocd-cmd-params-cm', hydrator: 'hydrator.enabled' }

const leftToArgoCd = `Argo CD's own hydrator is on (${argoCdParameters.configMap}: ${argoCdParameters.hydrator}) and works on the same Applications, so they are left to it; \
turn it off and restart Argo CD's application-controller, or set WADI_WRITE_STATUS=always for the hydrator`

/**
 * Reads the settings afresh; they apply from the next run on.
 * @param yieldsToArgoCd true to leave Applications to Argo CD's own hydrator where that is on
 * @param clusterPolicies undefined if nobody follows them
 */
export async function readOperatorSettings(
  store: ResourceStore,
  yieldsToArgoCd: boolean,
  clusterPolicies?: FollowedPolicies,
): Promise<OperatorSettings> {
  const isLeftToArgoCd = yieldsToArgoCd && (await argoCdHydrates(store))
  const configMap = await store.get('ConfigMap', controlPlaneNamespace, 'argocd-cm')
  const data = configMap?.data ?? {}
  const lineage = data['sourceHydrator.lineage'] || 'latest'
  const prune = data['sourceHydrator.prune'] || 'false'
  const errors: string[] = isLeftToArgoCd ? [leftToArgoCd] : []
  if (lineage !== 'latest' && lineage !== 'every') {
    errors.push(`argocd-cm: sourceHydrator.lineage is ${JSON.stringify(lineage)}; give latest or every`)
  }
  if (prune !== 'true' && prune !== 'false') {
    errors.push(`argocd-cm: sourceHydrator.prune is ${JSON.stringify(prune)}; give "true" or "false"`)
  }
  const foreignChanges = data['sourceHydrator.foreignChanges'] || 'report'
  const policy = foreignChangesPolicies.find((known) => known === foreignChanges)
  if (!policy) {
    errors.push(
      `argocd-cm: sourceHydrator.foreignChanges is ${JSON.stringify(foreignChanges)}; give report, restore or block`,
    )
  }
  const otherInstallations = data['sourceHydrator.otherInstallations'] || 'leave'
  const claim = otherInstallationsPolicies.find((known) => known === otherInstallations)
  if (!claim) {
    errors.push(
      `argocd-cm: sourceHydrator.otherInstallations is ${JSON.stringify(otherInstallations)}; give leave or take`,
    )
  }
  const branchPattern = data['sourceHydrator.branchPattern'] ?? ''
  try {
    compileMatcher(parseDoubleStar(branchPattern))
  } catch (error) {
    errors.push(`argocd-cm: sourceHydrator.branchPattern: ${errorMessage(error)}`)
  }
  const pullRequests = readOperatorChoice(data)
  errors.push(...pullRequests.errors)
  const gates = await readGates({ store, clusterPolicies }, data['wadi.gates'] ?? '')
  errors.push(...gates.errors)
  return {
    commitMessageTemplate: data['sourceHydrator.commitMessageTemplate'] || undefined,
    readmeTemplate: data['sourceHydrator.readmeMessageTemplate'] || undefined,
    authorName: data['commit.author.name'] ?? '',
    authorEmail: data['commit.author.email'] ?? '',
    lineage: lineage === 'every' ? 'every' : 'latest',
    prune: prune === 'true',
    foreignChanges: policy ?? 'block',
    otherInstallations: claim ?? 'leave',
    branchPattern,
    pullRequests: pullRequests.choice,
    ...(gates.rules.length > 0 && { gateRules: gates.rules, ...gates.policies }),
    error: errors.join('; '),
    isLeftToArgoCd,
  }
}

/** Few operators have rules for gates, so the code is loaded for those alone. */
async function readGates(sources: PolicySources, text: string): Promise<OperatorGates> {
  if (text.trim() === '') return { rules: [], errors: [] }
  const { readOperatorGates } = await import('./gates/operator-gates.ts')
  return readOperatorGates(sources, text)
}

async function argoCdHydrates(store: ResourceStore): Promise<boolean> {
  const parameters = await store.get('ConfigMap', controlPlaneNamespace, argoCdParameters.configMap)
  return parameters?.data?.[argoCdParameters.hydrator] === 'true'
}

/** Digest of what makes a finished run out of date when it changes. */
export function settingsDigest(settings: OperatorSettings, renderers: string): string {
  const {
    branchPattern,
    prune,
    lineage,
    gateRules,
    policyFiles,
    clusterPolicies,
    clusterDefinitions,
    error,
  } = settings
  const gates = {
    ...(gateRules && { gateRules }),
    ...(policyFiles && { policyFiles }),
    ...(clusterPolicies && { clusterPolicies: clusterPolicies.id }),
    ...(clusterDefinitions && { clusterDefinitions: chosenDefinitions(clusterDefinitions).id }),
  }
  return canonicalJson({ branchPattern, prune, lineage, ...gates, error, renderers })
}

/**
 * Returns true if the operator allows the name of a hydrated branch.
 * @throws InvalidInputError for a pattern that is wrong, which `error` of the settings names
 */
export function branchIsAllowed(settings: OperatorSettings, branch: string): boolean {
  const { branchPattern } = settings
  return branchPattern === '' || compileMatcher(parseDoubleStar(branchPattern))(branch)
}
