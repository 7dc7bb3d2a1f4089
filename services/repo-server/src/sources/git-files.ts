import type { MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import type { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import type { KeyPool } from '@wadi/signatures/key-pool.ts'
import { requireSignatures } from '../revisions/require-signatures.ts'
import { withCommit } from '../revisions/with-commit.ts'
import type { DryFiles } from './dry-files.ts'
import { DryTrees } from './dry-trees.ts'

/** The files of commits, from the mirrors of their git repositories. */
export function gitFiles(git: {
  readonly mirrors: MirrorPool
  readonly remoteRefs: RemoteRefsCache
  readonly keys: KeyPool
}): DryFiles {
  const trees = new DryTrees()
  return {
    use: (request, signal, task) =>
      withCommit(git, request, async (mirror) => {
        const { generation } = mirror
        await requireSignatures(git, mirror, request, signal)
        const tree = await trees.open(mirror, request.sha)
        return task({
          tree,
          repair: async (error) => {
            await git.mirrors.heal(mirror, error, generation)
          },
        })
      }),
  }
}
