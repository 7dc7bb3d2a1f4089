import type { CheckedItem } from './check-import.ts'
import type { ImportItem } from './import-item.ts'
import { stayingItem, togetherOrNot } from './templates/together-or-not.ts'

/** Returns the items, with those staying that would move and whose objects are not known to be equal. */
export function provenItems(
  items: readonly ImportItem[],
  checked: ReadonlyMap<ImportItem, CheckedItem>,
): ImportItem[] {
  const proven = items.map((item) => {
    const failed = checked.get(item)?.applications.find(({ error, differences }) => {
      return error !== undefined || differences.length > 0
    })
    if (!failed || item.outcome !== 'moves') return item
    const reason =
      failed.error === undefined
        ? 'its objects would differ'
        : `its objects cannot be compared: ${failed.error.replaceAll('\n', ' ')}`
    return stayingItem(item.found, reason)
  })
  return togetherOrNot(items, proven)
}
