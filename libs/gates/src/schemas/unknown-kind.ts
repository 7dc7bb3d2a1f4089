import { nearestName } from '@wadi/errors/nearest-name.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import type { KubernetesSchemas } from './kubernetes/kubernetes-schemas.ts'
import { type ObjectCheck, report } from './object-check.ts'

/** Groups of Kubernetes that no version from 1.30 on has. */
const formerGroups = ['extensions']

interface KindName {
  readonly apiVersion: string
  readonly group: string
  readonly kind: string
}

/** Finds a kind of a group of Kubernetes that Kubernetes does not have. Of other groups nothing is known. */
export function unknownKind(
  object: Manifest,
  title: string,
  { kinds }: KubernetesSchemas,
  check: ObjectCheck,
): void {
  const { group, version, kind } = manifestIdentity(object)
  const apiVersion = group === '' ? version : `${group}/${version}`
  const ofGroup = Object.keys(kinds)
    .map(kindName)
    .filter((known) => known.group === group)
  if (ofGroup.length === 0 && !formerGroups.includes(group)) return
  const others = ofGroup.filter((known) => known.kind === kind).map((known) => known.apiVersion)
  const nearest = nearestName(
    kind,
    ofGroup.flatMap((known) => (known.apiVersion === apiVersion ? [known.kind] : [])),
  )
  const advice = others.length > 0 ? `; use ${others.join(' or ')}` : nearest && `; did you mean ${nearest}?`
  report(
    check,
    'unknown-kind',
    `is not an API version of ${title} with the kind ${kind}${advice ?? ''}`,
    'apiVersion',
  )
}

function kindName(name: string): KindName {
  const [apiVersion = '', kind = ''] = name.split(' ')
  const [group = '', version] = apiVersion.split('/')
  return { apiVersion, group: version === undefined ? '' : group, kind }
}
