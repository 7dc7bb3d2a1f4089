import { type FoundObject, specPathOf, titleOf } from '../found-objects.ts'
import type { ImportItem } from '../import-item.ts'

/**
 * Returns items as they are now, with all staying of whose change of a template one stays.
 * @param planned the same items before some of them stayed
 */
export function togetherOrNot(planned: readonly ImportItem[], items: readonly ImportItem[]): ImportItem[] {
  const changeOf = (index: number) => planned[index]?.move?.template?.splice
  const kept = new Map(
    items.flatMap((item, index) => (item.outcome === 'stays' ? [[changeOf(index), item] as const] : [])),
  )
  return items.map((item, index) => {
    const change = changeOf(index)
    const cause = change && kept.get(change)
    if (!cause || item.outcome !== 'moves') return item
    return stayingItem(item.found, `its template makes ${titleOf(cause.found.manifest)}, too, which stays`)
  })
}

/**
 * An item for an object that stays.
 * @param reasons a line for each reason
 */
export function stayingItem(found: FoundObject, reasons: string): ImportItem {
  const field = [...specPathOf(found.manifest), 'source']
  return {
    found,
    outcome: 'stays',
    reasons: reasons.split('\n').map((reason) => ({ reason, field })),
    notes: [],
    hydrated: [],
  }
}
