import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import type { GetBranchesRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { fetchBranches } from '../branch/branch-state.ts'
import type { CommitServerContext } from '../context.ts'
import { useDestination } from '../write-credentials.ts'
import { type BranchAnswer, lookAtBranch, readRefs } from './get-branch.ts'

/** The most branches of one call. */
const maxBranches = 100

/** Returns the states of several hydrated branches of a repository, with one request to the remote; one that cannot be read has an empty entry. */
export function getBranches(context: CommitServerContext) {
  return async (request: GetBranchesRequest, { signal }: HandlerContext) => {
    assertBranchCount(request.branches)
    for (const { branch } of request.branches) assertBranchName(branch)
    const credentials = await context.repositories.identityFor(request.repoUrl, request.project)
    return useDestination(context, request, async (mirror) => {
      const refs = await readRefs(
        context,
        mirror,
        request.branches.some(({ probe }) => probe),
      )
      const names = request.branches.map(({ branch }) => branch)
      await fetchBranches(mirror, names, refs, signal)
      const looks = request.branches.map((branch) => lookAtBranch(context, mirror, branch, refs, signal))
      return {
        branches: (await Promise.allSettled(looks)).map((look): BranchAnswer =>
          look.status === 'fulfilled' ? { ...look.value, credentials } : {},
        ),
      }
    })
  }
}

/** @throws InvalidInputError above 100 */
export function assertBranchCount(branches: readonly unknown[]): void {
  if (branches.length <= maxBranches) return
  throw new InvalidInputError(
    `${branches.length} branches in one request; at most ${maxBranches} are accepted`,
  )
}
