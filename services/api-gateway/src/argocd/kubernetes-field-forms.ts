import type { DescField } from '@bufbuild/protobuf'

/**
 * Fields in which nothing differs from zero: Go has pointers there, so that `false` or an empty text is a value. In all
 * other fields with one value, Go writes zeros to the wire that nobody set, and they have no place in JSON.
 */
const fieldsWithPresence = new Set([
  'ApplicationSetSpec.templatePatch',
  'ApplicationSetSyncPolicy.applicationsSync',
  'ApplicationSourcePluginParameter.string',
  'ApplicationSpec.revisionHistoryLimit',
  'Backoff.factor',
  'DrySource.path',
  'DuckTypeGenerator.requeueAfterSeconds',
  'GitGenerator.requeueAfterSeconds',
  'ListMeta.remainingItemCount',
  'ObjectMeta.deletionGracePeriodSeconds',
  'OrphanedResourcesMonitorSettings.warn',
  'OwnerReference.blockOwnerDeletion',
  'OwnerReference.controller',
  'PluginGenerator.requeueAfterSeconds',
  'PullRequestGenerator.requeueAfterSeconds',
  'PullRequestGeneratorFilter.branchMatch',
  'PullRequestGeneratorFilter.targetBranchMatch',
  'PullRequestGeneratorFilter.titleMatch',
  'SCMProviderGenerator.requeueAfterSeconds',
  'SCMProviderGeneratorFilter.branchMatch',
  'SCMProviderGeneratorFilter.labelMatch',
  'SCMProviderGeneratorFilter.repositoryMatch',
  'SCMProviderGeneratorGitlab.includeSharedProjects',
  'SyncPolicyAutomated.enabled',
])

/** Messages that Go writes to the wire also when nobody set anything in them. */
const messagesWithoutPresence = new Set([
  'ApplicationDestination',
  'ApplicationSetSpec',
  'ApplicationSetStatus',
  'ApplicationSetTemplate',
  'ApplicationSetTemplateMeta',
  'ApplicationSourceJsonnet',
  'DrySource',
  'ObjectMeta',
  'PluginConfigMapRef',
  'PluginInput',
  'SyncSource',
])

/** The same for messages that have presence in other places. */
const fieldsWithoutPresence = new Set([
  'ApplicationSetStatus.health',
  'ApplicationSetTemplate.spec',
  'ClusterGenerator.selector',
  'DuckTypeGenerator.labelSelector',
])

/** Messages on the wire whose fields are those of the object around them in JSON. */
const inlinedFields = new Set(['KustomizeResId.gvk', 'KustomizeSelector.resId'])

/** Whether a field that is zero or empty is the same as one that is not there. */
export function isNothingWhenEmpty(field: DescField): boolean {
  if (field.fieldKind !== 'message') return !fieldsWithPresence.has(qualifiedName(field))
  return messagesWithoutPresence.has(field.message.name) || fieldsWithoutPresence.has(qualifiedName(field))
}

/** Whether the fields of the message in this field stand in the object around it in JSON. */
export function isInlined(field: DescField): boolean {
  return inlinedFields.has(qualifiedName(field))
}

function qualifiedName(field: DescField): string {
  return `${field.parent.name}.${field.name}`
}
