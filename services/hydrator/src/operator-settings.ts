import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { canonicalJson } from '@wadi/hydration/application-status.ts'
import { controlPlaneNamespace } from '@wadi/hydration/hydrated-branch.ts'
import type { ResourceStore } from '@wadi/resources/resource-store.ts'
import picomatch from 'picomatch'
import { defaultCommitMessageTemplate, defaultReadmeTemplate } from './documents/default-templates.ts'

/** Which dry commits of a branch get a hydrated commit: the newest, or each. */
type Lineage = 'latest' | 'every'

/** What the operator decides for all branches, in the ConfigMap `argocd-cm`. */
export interface OperatorSettings {
  /** `sourceHydrator.commitMessageTemplate`; Go template. */
  commitMessageTemplate: string
  /** `sourceHydrator.readmeMessageTemplate`; Go template. */
  readmeTemplate: string
  /** `commit.author.name`; empty for the commit-server's default. */
  authorName: string
  /** `commit.author.email`; empty for the commit-server's default. */
  authorEmail: string
  /** `sourceHydrator.lineage`; default `latest`. */
  lineage: Lineage
  /** `sourceHydrator.prune`: whether files that Wadi wrote and no Application claims go away; default false. */
  prune: boolean
  /** `sourceHydrator.branchPattern`: glob that every hydrated branch must match; empty for any. */
  branchPattern: string
}

/**
 * Reads the settings afresh; they count from the next run on.
 * @throws InvalidInputError that names the key of `argocd-cm`.
 */
export async function readOperatorSettings(store: ResourceStore): Promise<OperatorSettings> {
  const configMap = await store.get('ConfigMap', controlPlaneNamespace, 'argocd-cm')
  const data = configMap?.data ?? {}
  const lineage = data['sourceHydrator.lineage'] || 'latest'
  if (lineage !== 'latest' && lineage !== 'every') {
    throw new InvalidInputError(
      `argocd-cm: sourceHydrator.lineage is ${JSON.stringify(lineage)}; give latest or every`,
    )
  }
  const prune = data['sourceHydrator.prune'] || 'false'
  if (prune !== 'true' && prune !== 'false') {
    throw new InvalidInputError(
      `argocd-cm: sourceHydrator.prune is ${JSON.stringify(prune)}; give "true" or "false"`,
    )
  }
  return {
    commitMessageTemplate: data['sourceHydrator.commitMessageTemplate'] || defaultCommitMessageTemplate,
    readmeTemplate: data['sourceHydrator.readmeMessageTemplate'] || defaultReadmeTemplate,
    authorName: data['commit.author.name'] ?? '',
    authorEmail: data['commit.author.email'] ?? '',
    lineage,
    prune: prune === 'true',
    branchPattern: data['sourceHydrator.branchPattern'] ?? '',
  }
}

/** Digest of what makes a finished run out of date when it changes. */
export function settingsDigest(settings: OperatorSettings, renderers: string): string {
  const { branchPattern, prune, lineage } = settings
  return canonicalJson({ branchPattern, prune, lineage, renderers })
}

/** Whether a hydrated branch has a name that the operator allows. */
export function branchIsAllowed(settings: OperatorSettings, branch: string): boolean {
  return (
    settings.branchPattern === '' || picomatch.isMatch(branch, settings.branchPattern, { nonegate: true })
  )
}
