import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ListEnvironmentsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { readEnvironmentPatterns } from '../environments/environment-patterns.ts'
import type { EnvironmentReader } from '../environments/environments.ts'
import { dryRepositories } from '../environments/staged-applications.ts'
import { readQueue } from '../summaries/branch-summary.ts'
import { pageOf } from '../summaries/page.ts'
import { mayChangePullRequests } from '../environments/pull-request-right.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

const pageSize = { default: 10, max: 50 }
const defaultCommits = 200
const maxCommits = 500

/** Answers one page of dry repositories with the stages on which the caller may see an Application. */
export function listEnvironments(context: GatewayContext, reader: EnvironmentReader) {
  return async (request: ListEnvironmentsRequest, call: HandlerContext) => {
    const { repository, applicationSet, commits } = request
    if (commits < 0 || commits > maxCommits) {
      throw new InvalidInputError(
        `commits must be 1 to ${maxCommits}, or 0 for ${defaultCommits}, not ${commits}`,
      )
    }
    const mayBeSeen = visibleTo(context.authorization, call)
    const visible = context.summaries.sorted.filter(
      (application) =>
        (applicationSet === '' || application.source.spec.applicationSet === applicationSet) &&
        mayBeSeen(application),
    )
    const repositories = dryRepositories(visible, repository)
    const page = pageOf(repositories, request, pageSize)
    const { signal } = call
    const [{ states: queue, queueError }, patterns] = await Promise.all([
      readQueue(context, signal),
      readEnvironmentPatterns(context),
    ])
    const mayChange = mayChangePullRequests(context, call)
    const question = { patterns, queue, commits: commits || defaultCommits, mayChange, signal }
    const environments = await Promise.all(page.map((each) => reader.read(each, question)))
    return { environments, total: repositories.length, queueError }
  }
}
