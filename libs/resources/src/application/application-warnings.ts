import { nearestName } from '@wadi/errors/nearest-name.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'

const objectFields = ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'operation']

/** The fields that Wadi applies, and those that only the tool that syncs the hydrated branch can apply. */
const specFields = [
  'project',
  'destination',
  'sourceHydrator',
  'source',
  'sources',
  'syncPolicy',
  'ignoreDifferences',
  'info',
  'revisionHistoryLimit',
]

const annotationPrefix = 'wadi.dev/'
const annotations = ['lineage', 'prune', 'allow-empty', 'layout', 'crds'].map(
  (name) => annotationPrefix + name,
)

/**
 * Returns a warning for what of an Application is stored, or left out, and has no effect. Fields that the tool which syncs
 * gives a meaning to, such as `syncPolicy`, have none.
 * @param sent the object as it was sent, with what the server leaves out
 */
export function applicationWarnings(sent: Readonly<Record<string, unknown>>): string[] {
  const spec = isJsonObject(sent['spec']) ? sent['spec'] : {}
  const metadata = isJsonObject(sent['metadata']) ? sent['metadata'] : {}
  const given = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {}
  const own = Object.keys(given).filter((key) => key.startsWith(annotationPrefix))
  const warnings = [
    ...unapplied(Object.keys(sent), objectFields, '', 'Application has no such field'),
    ...unapplied(Object.keys(spec), specFields, 'spec.', 'Application has no such field'),
    ...unapplied(own, annotations, 'annotation ', 'Wadi reads no such annotation'),
  ]
  if (isJsonObject(sent['operation'])) {
    warnings.push('operation is not stored: Wadi starts no sync; what deploys the hydrated branch does')
  }
  if (!isJsonObject(spec['sourceHydrator'])) {
    warnings.push('spec.sourceHydrator is missing: the Application is stored but not hydrated')
  } else if (isSameBranch(spec['sourceHydrator'])) {
    warnings.push(
      'spec.sourceHydrator.hydrateTo is not applied: it names the branch of syncSource; name a branch that is promoted from, or remove it',
    )
  }
  return warnings
}

function unapplied(names: string[], known: readonly string[], at: string, otherwise: string): string[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearestName(name, known)
      const advice = meant === undefined ? otherwise : `did you mean ${at}${meant}?`
      return `${at}${name} is stored but not applied: ${advice}`
    })
}

function isSameBranch({ syncSource, hydrateTo }: Record<string, unknown>): boolean {
  if (!isJsonObject(syncSource) || !isJsonObject(hydrateTo)) return false
  return hydrateTo['targetBranch'] === syncSource['targetBranch']
}
