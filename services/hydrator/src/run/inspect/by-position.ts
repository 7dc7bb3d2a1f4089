import { renderedPositions } from '@wadi/resources/application/dry-sources.ts'
import type { Directory } from '../branch-run.ts'

/** Groups directories, or what belongs to them, by the positions of the sources that they are rendered from, the first source first. */
export function byPosition<T>(items: readonly T[], directoryOf: (item: T) => Directory): [number, T[]][] {
  const found = new Map<number, T[]>()
  for (const item of items) {
    const [{ spec }] = directoryOf(item).members
    for (const position of renderedPositions(spec)) found.getOrInsert(position, []).push(item)
  }
  return [...found].toSorted(([a], [b]) => a - b)
}
