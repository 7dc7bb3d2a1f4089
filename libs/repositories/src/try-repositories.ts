import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import {
  errorMessage,
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
} from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { policyAdvice } from '@wadi/git/process/connection-failure.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'

/** A repository as a project uses it, with the branches of it that are deployed from. */
export interface TriedRepository {
  readonly repoUrl: string
  readonly project: string
  readonly deployedBranches: readonly string[]
}

/** Servers limit how many connections one address has. */
const maxAtOnce = 8
/** The time for one repository, in ms. */
const maxTryMs = 8_000
const maxRepositories = 300

/** Joins lists of repositories; one that several name is tried once. */
export function withoutTwins(repositories: readonly TriedRepository[]): TriedRepository[] {
  const byPlace = Map.groupBy(
    repositories,
    ({ repoUrl, project }) => `${normalizeRepositoryUrl(repoUrl)}\n${project}`,
  )
  return [...byPlace.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const branches = [first, ...others].flatMap(({ deployedBranches }) => deployedBranches)
    return [{ ...first, deployedBranches: [...new Set(branches)] }]
  })
}

/**
 * Tries repositories side by side, each for some seconds, until the signal ends; what was not tried is a finding, and so is each error.
 * @param use names what fails, such as `read`
 */
export async function tryRepositories(
  repositories: readonly TriedRepository[],
  use: { readonly verb: 'read' | 'push to'; readonly write: boolean },
  tryOne: (repository: TriedRepository, signal: AbortSignal) => Promise<readonly Finding[]>,
  signal: AbortSignal,
): Promise<Finding[]> {
  const untried: string[] = repositories.slice(maxRepositories).map(({ repoUrl }) => redactUrl(repoUrl))
  const found = await mapWithLimit(repositories.slice(0, maxRepositories), maxAtOnce, async (repository) => {
    if (signal.aborted) {
      untried.push(redactUrl(repository.repoUrl))
      return []
    }
    const limit = AbortSignal.timeout(maxTryMs)
    try {
      return await tryOne(repository, AbortSignal.any([signal, limit]))
    } catch (error) {
      const late = `no answer within ${maxTryMs / 1000} s`
      const reason = limit.aborted ? late + policyAdvice(repository.repoUrl, late) : errorMessage(error)
      return [failure(repository, use, reason, error)]
    }
  })
  const late: Finding = {
    severity: 'info',
    area: 'credentials',
    message: `${untried.length} repositories were not tried in time: ${someInLine(untried, 3)}`,
    remedy: `wadi repo list --refresh hard${use.write ? ' --write' : ''}`,
  }
  return [...found.flat(), ...(untried.length > 0 ? [late] : [])]
}

function failure(
  { repoUrl, project }: TriedRepository,
  { verb, write }: { verb: string; write: boolean },
  reason: string,
  error: unknown,
): Finding {
  const where = redactUrl(repoUrl)
  const proof = /^https?:/i.test(where) ? '--username NAME --password-stdin' : '--ssh-private-key-path FILE'
  const scope = `${write ? ' --write' : ''}${project === '' ? '' : ` --project ${project}`}`
  return {
    severity: 'error',
    area: 'credentials',
    message: `cannot ${verb} ${where}: ${reason}`,
    remedy: remedy(error, {
      add: `wadi repo add ${where}${scope} ${proof} --upsert`,
      look: `git ls-remote ${where}, on the machine of ${write ? 'commit-server' : 'repo-server'}, shows whether it is reached`,
    }),
  }
}

function remedy(error: unknown, { add, look }: { add: string; look: string }): string {
  if (error instanceof PermissionDeniedError || error instanceof NotFoundError) return add
  // A URL that is not permitted is never asked.
  return error instanceof InvalidInputError ? 'change the URL, or the setting that permits it' : look
}
