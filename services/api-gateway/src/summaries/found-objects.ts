import { knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import type { GatewayContext } from '../context.ts'
import type { IndexedApplication } from './summary-index.ts'

/** An object that an Application hydrates, with the fields of the message `FoundObject`. */
interface FoundObject {
  identity: { group: string; kind: string; namespace: string; name: string }
  /** The first Application of its directory. */
  application: { namespace: string; name: string }
  branch: string
}

/** Branches of one search; the hydrator takes no more. */
const maxBranches = 2_000

/** People wait for the answer, and all else that was found is worth showing without it. */
const maxSearchMs = 5_000

/**
 * Finds objects of Applications by a text in lower case, and counts the branches whose objects were not searched.
 * @param visible the Applications that the caller may see
 */
export async function foundObjects(
  { hydrator, summaries }: Pick<GatewayContext, 'hydrator' | 'summaries'>,
  visible: readonly IndexedApplication[],
  text: string,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<{ objects: FoundObject[]; objectsNotSearched: number }> {
  const onBranches = Map.groupBy(visible, ({ source }) => source.branchKey ?? '')
  onBranches.delete('')
  const hydrated = [...onBranches].flatMap(([branchKey, applications]) => {
    const record = summaries.record(branchKey)
    const head = record ? knownHeadOf(record.status) : ''
    if (head === '') return []
    const isWhole = summaries.onBranch(branchKey).length === applications.length
    return [{ branchKey, head, paths: isWhole ? [] : applications.map(pathOf) }]
  })
  const branches = hydrated.slice(0, maxBranches)
  if (branches.length === 0) return { objects: [], objectsNotSearched: 0 }
  const left = hydrated.length - branches.length
  try {
    const answer = await hydrator.findObjects({ text, limit, branches }, { signal, timeoutMs: maxSearchMs })
    const objects = answer.objects.flatMap(({ branchKey, path, identity }): FoundObject[] => {
      const owner = onBranches.get(branchKey)?.find((application) => pathOf(application) === path)
      if (!owner || !identity) return []
      const { namespace, name } = owner.summary
      const { group, kind, namespace: within, name: ownName } = identity
      const object = { group, kind, namespace: within, name: ownName }
      return [
        { identity: object, application: { namespace, name }, branch: owner.source.branch?.branch ?? '' },
      ]
    })
    return { objects, objectsNotSearched: answer.notSearched + left }
  } catch {
    signal.throwIfAborted()
    return { objects: [], objectsNotSearched: hydrated.length }
  }
}

function pathOf({ summary }: IndexedApplication): string {
  return cleanDestinationPath(summary.syncPath)
}
