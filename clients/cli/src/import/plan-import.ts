import { availableParallelism } from 'node:os'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import { withoutCollisions } from './collisions.ts'
import type { FoundObject } from './found-objects.ts'
import type { ImportContext } from './import-context.ts'
import type { ImportItem } from './import-item.ts'
import { type OverrideReaders, overrideReaders } from './override-readers.ts'
import { planObject } from './plan-object.ts'
import { togetherOrNot } from './templates/together-or-not.ts'
import type { ImportRequest } from './source-changes.ts'
import { isHydrated } from './stay-reasons.ts'

/**
 * Plans how some objects move, in their order. What cannot move has its reasons.
 * @param known all objects of the repository, of which those that are hydrated keep their places
 * @param templates what templates of charts make, already planned
 */
export async function planImport(
  objects: readonly FoundObject[],
  known: readonly FoundObject[],
  request: ImportRequest,
  context: ImportContext,
  templates: readonly ImportItem[],
): Promise<ImportItem[]> {
  const others = request.takeOver
    ? []
    : known.filter((found) => !objects.includes(found) && isHydrated(found.manifest))
  const readers: OverrideReaders = request.moveParameters ? await overrideReaders(known, context) : new Map()
  const items = await mapWithLimit([...objects, ...others], availableParallelism(), (found) => {
    context.side.signal.throwIfAborted()
    return planObject(found, request, { ...context, readers })
  })
  // These keep their branches and paths.
  if (request.takeOver) return items
  const planned = [...items.slice(0, objects.length), ...templates, ...items.slice(objects.length)]
  const placed = togetherOrNot(planned, withoutCollisions(planned, request.rule))
  return placed.slice(0, objects.length + templates.length)
}
