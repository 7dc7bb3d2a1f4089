import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { ApplicationFilter } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import type { Authorization, Call } from '../authorization/authorization.ts'
import type { IndexedApplication } from './summary-index.ts'

/** No repository, path or name that anybody looks for is longer. */
const maxTextLength = 256

/** A filter for Applications. */
export interface SummaryFilter {
  /** Returns true if an Application matches all parts of the filter but its phase. */
  readonly matches: (application: IndexedApplication) => boolean
  /** Returns true if the phase is one of the filter. */
  readonly hasPhase: (phase: string) => boolean
}

/**
 * Prepares a filter for many Applications, of which it selects only what the caller may see.
 * @throws InvalidInputError when its text is too long, or its selector cannot be read
 */
export function summaryFilter(
  filter: ApplicationFilter | undefined,
  mayBeSeen: (application: IndexedApplication) => boolean,
): SummaryFilter {
  const text = searchedText(filter?.text ?? '')
  const projects = new Set(filter?.projects)
  const branches = new Set(filter?.branches)
  const phases = new Set(filter?.phases)
  const applicationSet = filter?.applicationSet ?? ''
  const hasLabels = parseLabelSelector(filter?.selector ?? '')
  const repositories = new Set(filter?.repositories.map(repositoryIdentity))
  const clusters = new Set(filter?.clusters)
  const namespaces = new Set(filter?.destinationNamespaces)
  const severities = new Set(filter?.severities)
  const renderers = new Set(filter?.renderers)
  const tools = new Set(filter?.tools)
  return {
    matches(application) {
      const { source } = application
      const { spec } = source
      return (
        (projects.size === 0 || projects.has(spec.project)) &&
        (branches.size === 0 || branches.has(spec.syncBranch) || branches.has(spec.hydrateToBranch)) &&
        (applicationSet === '' || spec.applicationSet === applicationSet) &&
        (text === '' || source.text.includes(text)) &&
        (repositories.size === 0 || source.dryRepositories.some((identity) => repositories.has(identity))) &&
        (clusters.size === 0 || clusters.has(spec.cluster)) &&
        (namespaces.size === 0 || namespaces.has(spec.destinationNamespace)) &&
        hasLabels(spec.labels) &&
        hasOne(application.summary.severities, severities) &&
        hasOne(application.summary.renderers, renderers) &&
        hasOne(application.summary.tools, tools) &&
        mayBeSeen(application)
      )
    },
    hasPhase: (phase) => phases.size === 0 || phases.has(phase),
  }
}

/** The empty string among the wanted values stands for none; no wanted value is no condition. */
function hasOne(values: readonly string[], wanted: ReadonlySet<string>): boolean {
  if (wanted.size === 0) return true
  return values.length === 0 ? wanted.has('') : values.some((value) => wanted.has(value))
}

/** Returns whether the caller may see an Application, by the policy of the moment. */
export function visibleTo(
  authorization: Authorization,
  call: Call,
): (application: IndexedApplication) => boolean {
  const mayGet = authorization.allowsEach(call, 'applications', 'get')
  return ({ source }) => mayGet(source.object)
}

/**
 * Returns a text in the form in which it is looked for.
 * @throws InvalidInputError when it is too long
 */
export function searchedText(text: string): string {
  if (text.length > maxTextLength) {
    throw new InvalidInputError(`text has ${text.length} characters, more than ${maxTextLength}`)
  }
  return text.toLowerCase()
}
