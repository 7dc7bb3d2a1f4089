import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { readOperatorSettings } from '../../operator-settings.ts'
import type { RunContext } from '../run-context.ts'
import { unclaimedPaths } from './unclaimed-paths.ts'

/**
 * Ends the record of a branch that no Application is hydrated to any more. With the operator's pruning on, the files
 * that Wadi wrote there go away first, in a commit for the dry commit that the branch holds; the branch itself stays.
 */
export async function abandonBranch(context: RunContext, key: string, signal: AbortSignal): Promise<void> {
  const { store, commitServer, status, clusterPolicies } = context
  const record = await store.get('HydratedBranch', controlPlaneNamespace, key)
  if (!record) return
  const { repoUrl, branch, project } = readHydratedBranch(record)
  const settings = await readOperatorSettings(store, status.yieldsToArgoCd, clusterPolicies)
  if (settings.isLeftToArgoCd) return
  const { prune, authorName, authorEmail } = settings
  if (prune) {
    const removedPaths = await unclaimedPaths(context, { key, repoUrl, branch, project }, signal)
    const { position } = await commitServer.getBranch({ repoUrl, branch, project }, { signal })
    if (position && position.drySha !== '' && removedPaths.length > 0) {
      const header = {
        repoUrl,
        targetBranch: branch,
        drySha: position.drySha,
        base: position,
        message: 'Remove what no application claims any more\n',
        authorName,
        authorEmail,
        removedPaths,
        project,
      }
      await commitServer.commitManifests(commitOnly(header), { signal })
    }
  }
  await store.delete('HydratedBranch', controlPlaneNamespace, key)
  await context.runs.forget(key)
}

async function* commitOnly<T>(value: T) {
  yield { message: { case: 'commit' as const, value } }
}
