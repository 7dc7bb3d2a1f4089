import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ReadFilesRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import { readBoundedFiles } from '@wadi/file-trees/read-bounded-files.ts'

const maxPaths = 1_000

/** Returns the contents of files of a commit, in the order of the request. */
export function readFiles(context: RepoServerContext) {
  return async (request: ReadFilesRequest, { signal }: HandlerContext) => {
    const { paths } = request
    if (paths.length > maxPaths) {
      throw new InvalidInputError(`${paths.length} paths in one request; at most ${maxPaths} are accepted`)
    }
    return context.files.use(request, signal, async ({ tree }) => ({
      contents: await readBoundedFiles(tree, paths, signal),
    }))
  }
}
