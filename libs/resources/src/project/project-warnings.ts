import { nearestName } from '@wadi/errors/nearest-name.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '../resource.ts'

/** The fields of an AppProject's spec that Wadi applies. */
const applied = [
  'sourceRepos',
  'destinations',
  'description',
  'roles',
  'sourceNamespaces',
  'permitOnlyProjectScopedClusters',
  'signatureKeys',
  'sourceIntegrity',
]

const kinds = 'Wadi hydrates objects of every kind; what deploys the hydrated branch must limit them'
const deploying = 'Wadi deploys nothing; what deploys the hydrated branch must apply it'

/** Fields of Argo CD that Wadi keeps and does not apply, each with the reason. */
const notApplied: Readonly<Record<string, string>> = {
  clusterResourceWhitelist: kinds,
  clusterResourceBlacklist: kinds,
  namespaceResourceWhitelist: kinds,
  namespaceResourceBlacklist: kinds,
  orphanedResources: deploying,
  syncWindows: deploying,
  destinationServiceAccounts: deploying,
}

/** Returns a warning for each field of an AppProject that is stored and has no effect, or less than it seems. */
export function projectWarnings({ spec = {} }: Pick<Resource, 'spec'>): string[] {
  const warnings: string[] = []
  for (const [field, value] of Object.entries(spec)) {
    const reason = Object.hasOwn(notApplied, field) ? notApplied[field] : undefined
    if (reason !== undefined) {
      if (limits(field, value)) warnings.push(`spec.${field} is stored but not applied: ${reason}`)
    } else if (!applied.includes(field)) {
      const meant = nearestName(field, [...applied, ...Object.keys(notApplied)])
      const advice = meant === undefined ? 'AppProject has no such field' : `did you mean spec.${meant}?`
      warnings.push(`spec.${field} is stored but not applied: ${advice}`)
    }
  }
  const integrity = spec['sourceIntegrity']
  const hasPolicies = isJsonObject(integrity) && isJsonObject(integrity['git'])
  if (hasPolicies && hasContent(spec['signatureKeys'])) {
    warnings.push(
      'spec.signatureKeys is stored but not applied: spec.sourceIntegrity.git takes its place; remove signatureKeys',
    )
  }
  return warnings
}

/** True if a field restricts anything: an empty one does not, nor does a whitelist of everything. */
function limits(field: string, value: unknown): boolean {
  if (field.endsWith('Whitelist') && Array.isArray(value)) {
    const permitsAll = (item: unknown) => isJsonObject(item) && item['group'] === '*' && item['kind'] === '*'
    if (value.some(permitsAll)) return false
  }
  return hasContent(value)
}

function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null
}
