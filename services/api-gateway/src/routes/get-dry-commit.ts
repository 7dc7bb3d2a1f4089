import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { GetDryCommitRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/dry_commits_pb.ts'
import type { GatewayContext } from '../context.ts'
import { openStageHistories } from '../environments/commit-history.ts'
import { openReviews } from '../environments/commit-review.ts'
import { commitStages } from '../environments/commit-stages.ts'
import { readEnvironmentPatterns } from '../environments/environment-patterns.ts'
import type { EnvironmentReader } from '../environments/environments.ts'
import { dryRepositories } from '../environments/staged-applications.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

/** Returns a dry commit with what it changed on the branches on which the caller may see an Application. */
export function getDryCommit(context: GatewayContext, reader: EnvironmentReader) {
  const readReview = openReviews(context)
  const readers = { reader, readHistories: openStageHistories(context) }
  return async ({ repoUrl, sha }: GetDryCommitRequest, call: HandlerContext) => {
    if (!isCommitSha(sha))
      throw new InvalidInputError(`${JSON.stringify(sha.slice(0, 100))} is not a full commit id`)
    const visible = context.summaries.sorted.filter(visibleTo(context.authorization, call))
    const repository = dryRepositories(visible, repoUrl).find(({ chart }) => chart === '')
    const [first] = repository?.applications ?? []
    if (!repository || !first) throw new NotFoundError(`no Application of ${shownUrl(repoUrl)} was found`)
    const { signal } = call
    const asked = { repoUrl: first.member.repoURL, project: first.source.spec.project, sha }
    const { commit } = await context.repoServer.getCommit(asked, { signal })
    if (!commit) throw new NotFoundError(`commit ${sha} of ${shownUrl(repoUrl)} was not found`)
    const patterns = await readEnvironmentPatterns(context)
    const question = { patterns, queue: new Map<string, string>(), mayChange: () => false, signal }
    const [stages, review] = await Promise.all([
      commitStages(context, readers, { repository, sha, question }),
      readReview({ ...asked, parents: commit.parents }, signal),
    ])
    return { commit: { ...dryCommit(commit), ...review }, stages }
  }
}

type RepositoryCommit = NonNullable<Awaited<ReturnType<GatewayContext['repoServer']['getCommit']>>['commit']>

function dryCommit({ sha, author, date, subject, body, references }: RepositoryCommit) {
  return {
    sha,
    author,
    date,
    subject,
    body,
    references: references.map((reference) => ({
      author: reference.author,
      date: reference.date,
      subject: reference.subject,
      sha: reference.sha,
      repoUrl: shownUrl(reference.repoUrl),
    })),
  }
}
