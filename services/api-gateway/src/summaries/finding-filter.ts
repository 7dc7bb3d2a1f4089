import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { FindingFilter as FilterMessage } from '@wadi/protocol/gen/wadi/api_gateway/v1/findings_pb.ts'
import type { FoundFinding } from './found-findings.ts'
import { listedSeverity } from './listed-severity.ts'
import { searchedText } from './summary-filter.ts'
import type { IndexedApplication } from './summary-index.ts'

/** A filter for findings, in the parts that counts leave out. */
export interface FindingFilter {
  /** Returns true if the findings of an Application can match. */
  readonly hasApplication: (application: IndexedApplication) => boolean
  readonly hasText: (finding: FoundFinding) => boolean
  /** Returns true if the gate and the rule are those of the filter. */
  readonly hasRule: (finding: FoundFinding) => boolean
  readonly hasSeverity: (finding: FoundFinding) => boolean
}

/**
 * Prepares a filter for many findings.
 * @throws InvalidInputError when its text is too long
 */
export function findingFilter(filter: FilterMessage | undefined): FindingFilter {
  const text = searchedText(filter?.text ?? '')
  const [severities, gates, rules] = [filter?.severities, filter?.gates, filter?.rules].map(
    (values) => new Set(values),
  )
  const projects = new Set(filter?.projects)
  const repositories = new Set(filter?.repositories.map(repositoryIdentity))
  const { namespace = '', name = '' } = filter ?? {}
  return {
    hasApplication: ({ source: { spec, dryRepositories } }) =>
      (projects.size === 0 || projects.has(spec.project)) &&
      (repositories.size === 0 || dryRepositories.some((identity) => repositories.has(identity))) &&
      (namespace === '' || spec.namespace === namespace) &&
      (name === '' || spec.name === name),
    hasText: (finding) => text === '' || searchedParts(finding).toLowerCase().includes(text),
    hasRule: ({ rule }) => isAmong(gates, rule.split('/', 1).join()) && isAmong(rules, rule),
    hasSeverity: (finding) => isAmong(severities, listedSeverity(finding)),
  }
}

function searchedParts({ namespace, name, rule, object, field, message, file }: FoundFinding): string {
  return [`${namespace}/${name}`, rule, object, field, message, file].join('\n')
}

function isAmong(values: ReadonlySet<string> | undefined, value: string): boolean {
  return values === undefined || values.size === 0 || values.has(value)
}
