import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { by } from '@wadi/order/by-name.ts'
import { isQualifiedName } from '@wadi/resources/object-checks.ts'
import type { Summary } from './application-summary.ts'
import { severityOrder } from './listed-severity.ts'

/** Applications with an equal value. */
interface SummaryGroup {
  /** Empty for those without one. */
  value: string
  total: number
}

const valuesByField: Readonly<Record<string, (summary: Summary) => string>> = {
  project: ({ project }) => project,
  repository: ({ repoUrl }) => repoUrl,
  branch: ({ hydrateToBranch, syncBranch }) => hydrateToBranch || syncBranch,
  cluster: ({ cluster }) => cluster,
  destination_namespace: ({ destinationNamespace }) => destinationNamespace,
  application_set: ({ applicationSet }) => applicationSet,
  findings: ({ severities }) => severities[0] ?? '',
  renderer: ({ renderers }) => renderers[0] ?? '',
  tool: ({ tools }) => tools[0] ?? '',
}

/**
 * Puts summaries with an equal value together and keeps their order within; those without a value come last. Without `groupBy` there
 * are no groups.
 * @throws InvalidInputError for a value that lists are not grouped by
 */
export function groupedSummaries(
  summaries: readonly Summary[],
  groupBy: string,
): { summaries: readonly Summary[]; groups: SummaryGroup[] } {
  if (groupBy === '') return { summaries, groups: [] }
  const groups = [...Map.groupBy(summaries, valueOf(groupBy))].toSorted(
    by(([value]) => orderKey(value, groupBy)),
  )
  return {
    summaries: groups.flatMap(([, members]) => members),
    groups: groups.map(([value, { length: total }]) => ({ value, total })),
  }
}

function orderKey(value: string, groupBy: string): string {
  const place = severityOrder.findIndex((severity) => severity === value)
  return `${value === '' ? '1' : '0'}${groupBy === 'findings' ? String(place) : value}`
}

function valueOf(groupBy: string): (summary: Summary) => string {
  const value = Object.hasOwn(valuesByField, groupBy) ? valuesByField[groupBy] : undefined
  if (value) return value
  const key = groupBy.startsWith('label:') ? groupBy.slice('label:'.length) : ''
  if (isQualifiedName(key)) return ({ labels }) => labels[key] ?? ''
  throw new InvalidInputError(
    `group_by ${JSON.stringify(groupBy)} is not supported; expected ${Object.keys(valuesByField).join(', ')} or label:KEY`,
  )
}
