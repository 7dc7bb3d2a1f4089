import { nearestName } from '@wadi/errors/nearest-name.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { findRemovedApi } from '../api-versions/removed-apis.ts'
import type { Gate, Violation } from '../gate.ts'
import { hasEncrypted } from '../sops.ts'
import { checkCustom } from './custom/check-custom.ts'
import { type CustomKind, customKinds } from './custom/custom-kinds.ts'
import { checkBuiltIn } from './kubernetes/check-built-in.ts'
import { knownVersions, type KubernetesSchemas, kubernetesSchemas } from './kubernetes/kubernetes-schemas.ts'
import { beginCheck, endCheck, type ObjectCheck, report, schemaRules } from './object-check.ts'

/** Finds what the API server would reject by the schema of an object's kind, with `--validate=strict`. */
export const schemasGate: Gate = {
  name: 'schemas',
  rules: () => schemaRules,
  async check(objects, { cluster, definitions = [] }) {
    const schemas = await kubernetesSchemas(cluster.minorVersion)
    const known: KnownKinds = {
      schemas,
      custom: customKinds([...definitions, ...objects]),
      minorVersion: cluster.minorVersion,
    }
    const found = objects.map((object) => checkObject(object, known))
    if (cluster.minorVersion >= knownVersions.newest || !found.flat().some(isUnknown)) return found
    const newer = { ...known, schemas: await kubernetesSchemas(knownVersions.newest) }
    return found.map((violations, index) => {
      const object = objects[index]
      if (object === undefined || !violations.some(isUnknown)) return violations
      return withNewer(violations, checkObject(object, newer), cluster.minorVersion)
    })
  },
}

function isUnknown({ rule }: Violation): boolean {
  return rule === 'unknown-field' || rule === 'unknown-kind'
}

/** Says of what is unknown that newer versions have it, as that is rarely a mistake in writing. */
function withNewer(
  violations: readonly Violation[],
  newer: readonly Violation[],
  minorVersion: number,
): Violation[] {
  return violations.map((violation) => {
    const { rule, field } = violation
    if (!isUnknown(violation) || newer.some((one) => one.rule === rule && one.field === field))
      return violation
    return { ...violation, message: `is not in Kubernetes 1.${minorVersion}; newer versions have it` }
  })
}

interface KnownKinds {
  readonly schemas: KubernetesSchemas
  readonly custom: ReadonlyMap<string, CustomKind>
  readonly minorVersion: number
}

function checkObject(written: Manifest, { schemas, custom, minorVersion }: KnownKinds): readonly Violation[] {
  const { sops: _sops, ...decrypted } = written
  const object = hasEncrypted(written) ? decrypted : written
  const { group, version, kind } = manifestIdentity(object)
  const check = beginCheck(hasEncrypted(written))
  const builtIn = { definitions: schemas.definitions, title: `Kubernetes 1.${minorVersion}` }
  const name = `${group === '' ? '' : `${group}/`}${version} ${kind}`
  const definition = Object.hasOwn(schemas.kinds, name) ? schemas.kinds[name] : undefined
  const customKind = custom.get(`${group} ${kind}`)
  if (definition !== undefined) checkBuiltIn(object, { $ref: definition }, builtIn, check)
  else if (customKind !== undefined)
    checkCustom(object, { customKind, version, minorVersion, builtIn }, check)
  // The gate `api-versions` finds it.
  else if (findRemovedApi(object, minorVersion) === undefined)
    unknownKind(object, builtIn.title, schemas, check)
  return endCheck(check)
}

/** Groups of Kubernetes that no version from 1.30 on has. */
const formerGroups = ['extensions']

interface KindName {
  readonly apiVersion: string
  readonly group: string
  readonly kind: string
}

/** Finds a kind of a group of Kubernetes that Kubernetes does not have. Of other groups nothing is known. */
function unknownKind(
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
