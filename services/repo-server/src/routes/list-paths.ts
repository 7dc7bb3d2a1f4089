import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { LRUCache } from 'lru-cache'
import type { ListPathsRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { RepoServerContext } from '../context.ts'
import type { PathQuery } from '@wadi/file-trees/find-paths.ts'

const maxPatterns = 100

const maxCachedCharacters = 16 * 1024 * 1024

/**
 * Finds directories or files of a commit, without a checkout. Equal trees have equal answers, which are remembered.
 *
 * A pattern matches a whole path from the repository's root on. The
 * path is cut at each `/`, and each name follows the rules of Go's path.Match:
 * - `*` is any number of characters, none too, and never a `/`; `?` is one character;
 * - `[abc]`, `[a-z]` is one of a class, `[^a-z]` one that is not in it, never a `/`;
 * - `\` takes the next character as it is; everything else stands for itself, upper and lower case are different.
 *
 * Beyond path.Match, a name `**` in patterns of files is any number of names, none too: `**` before a file's name finds it in
 * every directory. In patterns of directories, and within a longer name, two stars are the same as one: Argo CD finds
 * directories by path.Match alone, so that more depth would be more Applications than it makes.
 * There are no braces. A pattern that cannot be read is refused, also one that begins or ends with `/`.
 *
 * Directories whose name begins with a dot are left out with all that is below them unless `hidden` is set, even when
 * a pattern spells the dot. The root is not a directory of the list. A path is listed if one include and no exclude
 * matches it; the order of patterns does not matter.
 */
export function listPaths(context: RepoServerContext) {
  const answers = new LRUCache<string, string[]>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (paths, key) => key.length + paths.reduce((sum, path) => sum + path.length + 50, 0),
  })
  return async (request: ListPathsRequest, { signal }: HandlerContext) => {
    const query = readQuery(request)
    return context.files.use(request, signal, async ({ tree }) => {
      const treeId = (await tree.entry(''))?.id ?? ''
      const key = JSON.stringify([treeId, query])
      let paths = answers.get(key)
      if (paths === undefined) {
        const { findPaths } = await import('@wadi/file-trees/find-paths.ts')
        paths = await findPaths(tree, query, signal)
        answers.set(key, paths)
      }
      return { paths, treeId }
    })
  }
}

function readQuery({ kind, includes, excludes, hidden }: ListPathsRequest): PathQuery {
  if (kind !== 'directories' && kind !== 'files') {
    throw new InvalidInputError(`kind is "directories" or "files", not ${JSON.stringify(kind)}`)
  }
  for (const [field, patterns] of Object.entries({ includes, excludes })) {
    if (patterns.length > maxPatterns) {
      throw new InvalidInputError(
        `${field} has ${patterns.length} patterns; at most ${maxPatterns} are accepted`,
      )
    }
  }
  return { kind, includes, excludes, hidden }
}
