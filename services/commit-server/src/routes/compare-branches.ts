import type { HandlerContext } from '@connectrpc/connect'
import { openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import type { CompareBranchesRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { fetchBranchState } from '../branch/branch-state.ts'
import { writingInstallation } from '../branch/writing-installation.ts'
import type { CommitServerContext } from '../context.ts'
import { useDestination } from '../write-credentials.ts'
import { readRefs } from './get-branch.ts'

/** Tells what a hydrated branch has that the branch which is deployed from has not. */
export function compareBranches(context: CommitServerContext) {
  return async (request: CompareBranchesRequest, { signal }: HandlerContext) => {
    const names = [request.branch, request.baseBranch]
    for (const name of names) assertBranchName(name)
    const paths = request.paths.map(cleanDestinationPath)
    return useDestination(context, request, async (mirror) => {
      const refs = await readRefs(context, mirror, false)
      const [headSha = '', baseSha = ''] = names.map((name) => refs.get(`refs/heads/${name}`) ?? '')
      if (headSha === '' || baseSha === '') return { headSha, baseSha }
      const { branch, baseBranch: syncBranch } = request
      const state = await fetchBranchState(mirror, context.trees, { branch, syncBranch }, refs, signal)
      const installation = await writingInstallation(mirror, context.trees, state)
      const [head, base] = await Promise.all(
        [headSha, baseSha].map((sha) => openCommitTree(mirror.objects, context.trees, sha)),
      )
      if (!head || !base) return { headSha, baseSha, installation }
      const differs = async (path: string): Promise<boolean> =>
        (await head.entry(path))?.id !== (await base.entry(path))?.id
      const changedPaths: string[] = []
      for (const path of paths) if (await differs(path)) changedPaths.push(path)
      const isContained = !(await differs('')) || (await mirror.isAncestor(headSha, baseSha, signal))
      return { headSha, baseSha, isContained, changedPaths, installation }
    })
  }
}
