import { type FoundObject, specPathOf, titleOf } from '../found-objects.ts'
import type { ImportItem } from '../import-item.ts'

/**
 * Returns the items of groups, with all of a group staying of which one stays.
 * @param items those of the groups in their order, as they are now
 */
export function togetherOrNot(
  groups: readonly (readonly ImportItem[])[],
  items: readonly ImportItem[],
): ImportItem[] {
  let done = 0
  return groups.flatMap(({ length }) => {
    const group = items.slice(done, (done += length))
    const stays = group.find(({ outcome }) => outcome === 'stays')
    if (!stays) return group
    const reason = `its template makes ${titleOf(stays.found.manifest)}, too, which stays`
    return group.map((item) => (item.outcome === 'moves' ? stayingItem(item.found, reason) : item))
  })
}

/** An item for an object that stays for a reason. */
export function stayingItem(found: FoundObject, reason: string): ImportItem {
  const field = [...specPathOf(found.manifest), 'source']
  return { found, outcome: 'stays', reasons: [{ reason, field }], notes: [], hydrated: [] }
}
