import { listAt } from '@wadi/fields/json-fields.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import type { PolicyFile } from '../gate.ts'
import { objectStrings } from '../secrets/string-fields.ts'
import { readPolicies } from './read-policies.ts'

/** The fields of a request that are the same whether it creates or updates an object. */
const equalFields = [
  'dryRun',
  'kind',
  'name',
  'namespace',
  'requestKind',
  'requestResource',
  'requestSubResource',
  'resource',
  'subResource',
  'uid',
  'userInfo',
]

const readsOperation = new RegExp(
  String.raw`\boldObject\b|\brequest\b(?!\s*\.\s*(?:${equalFields.join('|')})\b)`,
)

/**
 * Returns true if policies may judge an object that replaces another differently than a new one: they are for one of the operations CREATE and
 * UPDATE alone, read `oldObject` or the operation, or select objects by labels, which the former object may have had.
 * @throws what `readPolicies` throws
 */
export function wantsFormer(files: readonly PolicyFile[]): boolean {
  return readPolicies(files).some(({ manifest }) => {
    if (manifestIdentity(manifest).group !== 'admissionregistration.k8s.io') return false
    const { spec } = manifest
    if (!isJsonObject(spec)) return false
    const { matchConstraints, matchResources, ...expressions } = spec
    const matches = [matchConstraints, matchResources].flatMap((match) =>
      isJsonObject(match) ? [match] : [],
    )
    return (
      matches.some((match) => selectsObjects(match) || rulesOf(match).some(isForOneOperation)) ||
      objectStrings(expressions).some(({ text }) => readsOperation.test(text))
    )
  })
}

function selectsObjects({ objectSelector }: Manifest): boolean {
  return isJsonObject(objectSelector) && Object.keys(objectSelector).length > 0
}

function rulesOf(match: Manifest): unknown[] {
  return ['resourceRules', 'excludeResourceRules'].flatMap((key) => listAt(match as unknown, key))
}

function isForOneOperation(rule: unknown): boolean {
  const operations = listAt(rule, 'operations')
  const isFor = (operation: string) => operations.includes(operation) || operations.includes('*')
  return isFor('CREATE') !== isFor('UPDATE')
}
