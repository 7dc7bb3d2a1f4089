import { diffArrays } from 'diff/lib/diff/array.js'
import { diffWordsWithSpace } from 'diff/lib/diff/word.js'

/** A part of a text: the first of its lines or characters, and the first one behind it. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Lines that two texts have in common, or lines of one that take the place of lines of the other. */
export interface Block {
  readonly isSame: boolean
  readonly before: Span
  readonly after: Span
}

// A diff of large texts is cut short rather than slow.
const limits = { maxEditLength: 5_000, timeout: 1_500 }

/** Returns the blocks of two lists of lines in their order; within the time of a page, so very different ones are one block. */
export function changedBlocks(before: string[], after: string[]): Block[] {
  const blocks: Block[] = []
  let [left, right] = [0, 0]
  const add = (isSame: boolean, [removed, added]: readonly [number, number]) => {
    if (removed + added === 0) return
    const spans = { before: { from: left, to: left + removed }, after: { from: right, to: right + added } }
    blocks.push({ isSame, ...spans })
    ;[left, right] = [left + removed, right + added]
  }
  let changed: [number, number] = [0, 0]
  for (const { removed, added, count } of diffArrays(before, after, limits) ?? []) {
    if (removed) changed[0] += count
    else if (added) changed[1] += count
    else {
      add(false, changed)
      add(true, [count, count])
      changed = [0, 0]
    }
  }
  add(false, [before.length - left, after.length - right])
  return blocks
}

/** Returns the words of two texts that the other one does not have; none for texts whose comparison takes too long. */
export function changedWords(before: string, after: string): { before: Span[]; after: Span[] } {
  const words: { before: Span[]; after: Span[] } = { before: [], after: [] }
  let [left, right] = [0, 0]
  for (const { removed, added, value } of diffWordsWithSpace(before, after, limits) ?? []) {
    if (removed) words.before.push({ from: left, to: left + value.length })
    else if (added) words.after.push({ from: right, to: right + value.length })
    if (!added) left += value.length
    if (!removed) right += value.length
  }
  return words
}
