import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** The most that one page of a list has. */
export const maxPage = 500

const usualPage = { default: 100, max: maxPage }

/**
 * Returns the page of a list that a request asks for.
 * @throws InvalidInputError when offset or limit are out of range
 */
export function pageOf<Item>(
  items: readonly Item[],
  { offset, limit }: { offset: number; limit: number },
  size: typeof usualPage = usualPage,
): Item[] {
  if (offset < 0) throw new InvalidInputError(`offset must be at least 0, not ${offset}`)
  if (limit < 0 || limit > size.max) {
    throw new InvalidInputError(`limit must be 1 to ${size.max}, or 0 for ${size.default}, not ${limit}`)
  }
  return items.slice(offset, offset + (limit || size.default))
}

/** Returns how many items have each phase. */
export function phaseCounts(phases: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const phase of phases) counts[phase] = (counts[phase] ?? 0) + 1
  return counts
}
