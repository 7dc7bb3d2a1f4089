import { NotFoundError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { openForge, requireAllowedForge } from '../forges/forge-access.ts'
import type { PullRequest, PullRequestSource } from '@wadi/forges/forge-answers.ts'
import { checkRequeue, chosenForge, readForgeOptions } from '../forges/forge-options.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import type { GeneratorRun } from './generator-run.ts'
import { branchSlug } from './pull-request-slug.ts'
import { filterEntries, readRegex } from './scm-provider-filters.ts'
import { withTemplatedValues } from './templated-values.ts'

/**
 * One parameter set for each pull request, or merge request, of a repository of a forge, as far as `labels` and `filters` take it. The repository has to be one that may be read, under one of the
 * addresses that it can be cloned from.
 * @throws InvalidInputError, FailedPreconditionError, PermissionDeniedError, and what asking the forge throws;
 *   NotFoundError for a repository that does not exist unless `continueOnRepoNotFoundError` is set
 */
export async function pullRequestParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const reader = new FieldReader(path)
  const none = 'no Pull Request provider implementation configured'
  const chosen = chosenForge(reader, fields, { kind: 'pullRequests', none })
  const { source, options } = chosen
  const access = readForgeOptions(reader, chosen)
  const open = source.read(reader, options, `${source.field}.`)
  const filters = filterEntries(reader, fields).map(({ entry, at }) => ({
    branch: readRegex(reader, entry, 'branchMatch', at),
    targetBranch: readRegex(reader, entry, 'targetBranchMatch', at),
    title: readRegex(reader, entry, 'titleMatch', at),
  }))
  const mayBeAbsent = reader.boolean(fields, 'continueOnRepoNotFoundError', '') ?? false
  checkRequeue(reader, fields)
  reader.throwFindings()
  const { forges, store, namespace, project, inputs } = run
  requireAllowedForge(forges, access)
  const answer = await inputs.answer({
    key: { kind: run.kind, subjects: [namespace, source.field, options, mayBeAbsent] },
    ask: async (signal) =>
      ask(open(await openForge(forges, access, { store, namespace, project }, signal)), mayBeAbsent),
  })
  if (answer) await nameOneOf(answer.cloneUrls, run)
  const sets: ParameterSet[] = []
  for (const request of answer?.pullRequests ?? []) {
    await run.pace()
    if (filters.length > 0 && !filters.some((filter) => takes(filter, request))) continue
    const set = { origin: `${path}: pull request ${request.number}`, values: valuesOf(request, run) }
    run.budget.add(sets, await withTemplatedValues(set, fields['values'], run))
  }
  return sets
}

/** The pull requests, null when there is no such repository and that is allowed. */
async function ask(
  source: PullRequestSource,
  mayBeAbsent: boolean,
): Promise<{ cloneUrls: string[]; pullRequests: PullRequest[] } | null> {
  try {
    const cloneUrls = (await source.cloneUrls()).filter((url) => url !== '')
    return { cloneUrls, pullRequests: await source.pullRequests() }
  } catch (error) {
    if (mayBeAbsent && error instanceof NotFoundError) return null
    throw error
  }
}

/** A repository is registered under one of its addresses, which the generator does not say. */
async function nameOneOf(
  [first = '', ...others]: readonly string[],
  { inputs, project }: Pick<GeneratorRun, 'inputs' | 'project'>,
): Promise<void> {
  try {
    await inputs.nameRepository(first, project)
  } catch (error) {
    if (!(error instanceof PermissionDeniedError) || others.length === 0) throw error
    await nameOneOf(others, { inputs, project })
  }
}

interface PullRequestFilter {
  branch: Matcher | undefined
  targetBranch: Matcher | undefined
  title: Matcher | undefined
}

function takes(filter: PullRequestFilter, { branch, targetBranch, title }: PullRequest): boolean {
  return (
    (filter.branch?.(branch) ?? true) &&
    (filter.targetBranch?.(targetBranch) ?? true) &&
    (filter.title?.(title) ?? true)
  )
}

function valuesOf(request: PullRequest, { isGoTemplate }: GeneratorRun) {
  const { number, title, branch, targetBranch, headSha, author, labels } = request
  return {
    number,
    title,
    branch,
    branch_slug: branchSlug(branch),
    target_branch: targetBranch,
    target_branch_slug: branchSlug(targetBranch),
    head_sha: headSha,
    head_short_sha: headSha.slice(0, 8),
    head_short_sha_7: headSha.slice(0, 7),
    author,
    ...(isGoTemplate && { labels }),
  }
}
