import { textAt, valueAt } from '@wadi/fields/json-fields.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'

const isDefault = 'storageclass.kubernetes.io/is-default-class'

/** The objects beside claims that say why they wait. */
interface ClaimSurroundings {
  readonly classes: readonly Resource[]
  /** Those of the type `Warning`. */
  readonly events: readonly Resource[]
  readonly namespace: string
}

/** Finds claims of volumes that wait, each with the reason: most often a StorageClass that is missing. */
export function claimFindings(claims: readonly Resource[], around: ClaimSurroundings): Finding[] {
  const waiting = claims.filter(({ status }) => textAt(status, 'phase') === 'Pending')
  return waiting.flatMap((claim) => {
    const found = missingClass(claim, around) ?? newestTrouble(claim, around)
    return found ? [{ severity: 'error', area: 'storage', ...found }] : []
  })
}

type Reason = Pick<Finding, 'message' | 'remedy'>

function missingClass(
  { metadata: { name }, spec }: Resource,
  { classes, namespace }: ClaimSurroundings,
): Reason | undefined {
  const wanted = valueAt(spec, 'storageClassName')
  // An empty name asks for no class, and for a volume that somebody made.
  if (wanted === '') return undefined
  const names = classes.map(({ metadata }) => metadata.name)
  const known = names.length === 0 ? 'the cluster has none' : `the cluster has ${someInLine(names, 5)}`
  if (typeof wanted !== 'string') {
    if (classes.some(({ metadata }) => metadata.annotations?.[isDefault] === 'true')) return undefined
    return {
      message: `the volume of ${name} waits: no StorageClass is the default (${known})`,
      remedy:
        names[0] === undefined
          ? "install a StorageClass, or do without volumes: storage: ''"
          : `kubectl annotate storageclass ${names[0]} ${isDefault}=true, or name one as storageClass of the chart`,
    }
  }
  if (names.includes(wanted)) return undefined
  return {
    message: `the volume of ${name} waits: there is no StorageClass ${wanted} (${known})`,
    remedy: `create it, or install again with another storageClass: helm uninstall wadi --namespace ${namespace} && kubectl --namespace ${namespace} delete persistentvolumeclaim ${name}`,
  }
}

/** The newest warning about a claim. */
function newestTrouble(
  { metadata: { name } }: Resource,
  { events, namespace }: ClaimSurroundings,
): Reason | undefined {
  const about = events.filter(
    ({ involvedObject: object }) =>
      textAt(object, 'kind') === 'PersistentVolumeClaim' && textAt(object, 'name') === name,
  )
  const newest = about.toSorted((a, b) => seenAt(a) - seenAt(b)).at(-1)
  return (
    newest && {
      message: `the volume of ${name} waits: ${textAt(newest, 'message')}`,
      remedy: `kubectl --namespace ${namespace} describe persistentvolumeclaim ${name}`,
    }
  )
}

function seenAt(event: Resource): number {
  const times = [event['lastTimestamp'], event['eventTime'], event.metadata['creationTimestamp']]
  return Math.max(...times.map((time) => (typeof time === 'string' ? Date.parse(time) : 0)))
}
