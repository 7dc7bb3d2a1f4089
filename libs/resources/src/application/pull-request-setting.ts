import type { FieldReader } from '@wadi/fields/field-reader.ts'

const policies = ['none', 'open', 'merge'] as const
const methods = ['merge', 'squash', 'rebase', 'fast-forward'] as const

/** Names of labels or accounts in one setting. */
const maxNames = 50

/** The pull request from a staging branch to the branch that is deployed from. */
export interface PullRequestSetting {
  /** No pull request, one that people merge, or one that Wadi merges when the forge allows it. */
  readonly policy: (typeof policies)[number]
  /** The method by which the forge merges it for Wadi, or `fast-forward`, by which Wadi itself moves the branch. */
  readonly method: (typeof methods)[number]
  readonly labels: readonly string[]
  readonly reviewers: readonly string[]
}

/** The fields that one place sets for pull requests. */
export type PullRequestChoice = Partial<PullRequestSetting>

/** The annotations of Applications and AppProjects. */
const annotationNames = {
  policy: 'wadi.dev/pull-requests',
  method: 'wadi.dev/pull-request-merge-method',
  labels: 'wadi.dev/pull-request-labels',
  reviewers: 'wadi.dev/pull-request-reviewers',
} as const

/** The keys of `argocd-cm`. */
const configMapKeys = {
  policy: 'sourceHydrator.pullRequests',
  method: 'sourceHydrator.pullRequests.mergeMethod',
  labels: 'sourceHydrator.pullRequests.labels',
  reviewers: 'sourceHydrator.pullRequests.reviewers',
} as const

const byDefault: PullRequestSetting = { policy: 'none', method: 'merge', labels: [], reviewers: [] }

/** The pull request of an Application: what its own annotations do not say, those of its project do, then the operator. */
export function pullRequestSettingOf(
  annotations: Readonly<Record<string, string>>,
  project: Readonly<Record<string, string>>,
  operator: PullRequestChoice,
): PullRequestSetting {
  return {
    ...byDefault,
    ...operator,
    ...choice(project, annotationNames),
    ...choice(annotations, annotationNames),
  }
}

/** Returns the operator's setting in `argocd-cm`, and its errors. */
export function readOperatorChoice(data: Readonly<Record<string, string>>): {
  choice: PullRequestChoice
  errors: string[]
} {
  const errors: string[] = []
  const { policy, method } = configMapKeys
  checkOneOf(data[policy], policies, (reason) => errors.push(`argocd-cm: ${policy} ${reason}`))
  checkOneOf(data[method], methods, (reason) => errors.push(`argocd-cm: ${method} ${reason}`))
  return { choice: choice(data, configMapKeys), errors }
}

/** Notes what is wrong with the annotations of an Application or AppProject. */
export function checkPullRequestAnnotations(
  annotations: Readonly<Record<string, string>>,
  reader: FieldReader,
): void {
  const { policy, method } = annotationNames
  checkOneOf(annotations[policy], policies, (reason) => reader.report(`annotation ${policy} ${reason}`))
  checkOneOf(annotations[method], methods, (reason) => reader.report(`annotation ${method} ${reason}`))
}

function checkOneOf(
  value: string | undefined,
  values: readonly string[],
  report: (reason: string) => void,
): void {
  if (value === undefined || value === '' || values.includes(value)) return
  const listed = values.join(', ').replace(/, (?=[^,]*$)/u, ' or ')
  report(`is ${JSON.stringify(value.slice(0, 100))}; give ${listed}`)
}

function choice(
  values: Readonly<Record<string, string>>,
  names: Readonly<Record<keyof PullRequestSetting, string>>,
): PullRequestChoice {
  const policy = policies.find((known) => known === values[names.policy])
  const method = methods.find((known) => known === values[names.method])
  const labels = values[names.labels]
  const reviewers = values[names.reviewers]
  return {
    ...(policy && { policy }),
    ...(method && { method }),
    ...(labels !== undefined && { labels: namesIn(labels) }),
    ...(reviewers !== undefined && { reviewers: namesIn(reviewers) }),
  }
}

/** The names in a list with commas, each once. */
function namesIn(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))].slice(0, maxNames)
}
