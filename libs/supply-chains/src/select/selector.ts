import { isLabelValue, isQualifiedName } from '@wadi/resources/object-checks.ts'
import type { ObjectFields } from '../read/object-fields.ts'
import { PathError } from '../paths/path-error.ts'
import { readPath } from '../paths/path-steps.ts'

/** One requirement on a label or on a field. */
export interface Requirement {
  key: string
  operator: string
  values: readonly string[]
}

/** The conditions of a chain or an option on its object; all must hold. */
export interface Selector {
  matchLabels: ReadonlyMap<string, string>
  matchExpressions: readonly Requirement[]
  matchFields: readonly Requirement[]
}

/** The names of a selector's fields in the file. */
interface SelectorFields {
  labels: string
  expressions: string
  fields: string
}

/** The kinds of objects that have a selector's chain stamped for them. */
export type OwnerKind = 'Workload' | 'Deliverable'

/** Reads a selector from the fields that have these names. */
export function readSelector(from: ObjectFields, names: SelectorFields): Selector {
  return {
    matchLabels: from.textMap(names.labels),
    matchExpressions: readRequirements(from.maps(names.expressions)),
    matchFields: readRequirements(from.maps(names.fields)),
  }
}

function readRequirements(items: readonly ObjectFields[]): Requirement[] {
  return items.map((item) => ({
    key: item.requiredText('key'),
    operator: item.requiredText('operator'),
    values: item.texts('values'),
  }))
}

/** Returns how many requirements a selector has. */
export function requirementCount(selector: Selector): number {
  return selector.matchLabels.size + selector.matchExpressions.length + selector.matchFields.length
}

const sourcePaths = [
  '',
  '.git',
  '.git.url',
  '.git.ref',
  '.git.ref.branch',
  '.git.ref.tag',
  '.git.ref.commit',
  '.image',
  '.subPath',
]
const sharedPaths = [...sourcePaths.map((path) => `spec.source${path}`), 'spec.serviceAccountName']
const fieldPaths: Record<OwnerKind, { paths: ReadonlySet<string>; prefixes: readonly string[] }> = {
  Workload: {
    paths: new Set([...sharedPaths, 'spec.build', 'spec.image']),
    prefixes: [
      'spec.params',
      'spec.build.env',
      'spec.env',
      'spec.resources',
      'spec.serviceClaims',
      'metadata',
    ],
  },
  Deliverable: { paths: new Set(sharedPaths), prefixes: ['spec.params', 'metadata'] },
}

/** Returns what is wrong with a selector, in the words of Cartographer. `names` says what it calls labels and expressions. */
export function selectorFindings(
  selector: Selector,
  owner: OwnerKind,
  names: Pick<SelectorFields, 'labels' | 'expressions'>,
): string[] {
  return [
    ...labelFindings(selector.matchLabels).map((finding) => `${names.labels} is not valid: ${finding}`),
    ...selector.matchExpressions
      .flatMap(expressionFindings)
      .map((finding) => `${names.expressions} are not valid: ${finding}`),
    ...selector.matchFields.flatMap((requirement) => fieldFindings(requirement, owner)),
  ]
}

function labelFindings(labels: ReadonlyMap<string, string>): string[] {
  return Array.from(labels).flatMap(([key, value]) => [
    ...(isQualifiedName(key) ? [] : [`${JSON.stringify(key)} is not a label key`]),
    ...(isLabelValue(value) ? [] : [`${JSON.stringify(value)} is not a label value`]),
  ])
}

function expressionFindings({ key, operator, values }: Requirement): string[] {
  return [
    ...(isQualifiedName(key) ? [] : [`${JSON.stringify(key)} is not a label key`]),
    ...operatorFindings(operator, values),
  ]
}

function operatorFindings(operator: string, values: readonly string[]): string[] {
  switch (operator) {
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0 ? [] : [`cannot specify values with operator [${operator}]`]
    case 'In':
    case 'NotIn':
      return values.length === 0 ? [`must specify values with operator [${operator}]`] : []
    default:
      return [`operator [${operator}] is invalid`]
  }
}

function fieldFindings({ key, operator, values }: Requirement, owner: OwnerKind): string[] {
  const findings = operatorFindings(operator, values)
  if (findings.length > 0) return findings
  const { paths, prefixes } = fieldPaths[owner]
  if (!paths.has(key) && !prefixes.some((prefix) => key.startsWith(prefix))) {
    return [`requirement key [${key}] is not a valid path`]
  }
  try {
    readPath(key)
    return []
  } catch (error) {
    if (!(error instanceof PathError)) throw error
    return [`invalid jsonpath for key [${key}]: ${error.message}`]
  }
}
