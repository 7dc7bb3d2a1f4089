import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { actionWords } from './repeat-words.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'

/**
 * The replacements of functions that read the clock: another time of the same type, and for a duration since a time
 * another text. The results of the clock then differ in any format.
 */
const replacements = new Map([
  ['now', '(toDate "2006-01-02 15:04:05" "2001-02-03 04:05:06")'],
  ['ago', 'printf "%v, shifted"'],
])

const mentionsClock = /\b(?:now|ago)\b/

/** True if a template's function that reads the clock is replaced in a tree with `withShiftedClock`. */
export function isShifted(name: string, path: string): boolean {
  return replacements.has(name) && /(?:^|\/)templates\//.test(path)
}

/** A tree in which the templates of charts read another clock; everything else is as it is in `tree`, ids included. */
export function withShiftedClock(tree: FileTree): FileTree {
  return {
    ready: async (paths, maxFilesEach) => tree.ready?.(paths, maxFilesEach),
    entry: async (path) => await tree.entry(path),
    list: async (path) => await tree.list(path),
    read: async (path, maxBytes) => {
      const content = await tree.read(path, maxBytes)
      return (await isTemplate(tree, path)) ? shiftClock(content) : content
    },
  }
}

async function isTemplate(tree: FileTree, path: string): Promise<boolean> {
  for (const { index } of path.matchAll(/(?<=^|\/)templates\//g)) {
    const chart = path.slice(0, Math.max(index - 1, 0))
    if ((await tree.entry(childPath(chart, 'Chart.yaml'))) !== undefined) return true
  }
  return false
}

function shiftClock(content: Buffer): Buffer {
  const text = content.toString()
  if (!mentionsClock.test(text)) return content
  let shifted = ''
  let copied = 0
  for (const words of actionWords(text)) {
    for (const { name, offset, isQuoted } of words) {
      const replacement = isQuoted ? undefined : replacements.get(name)
      if (replacement === undefined) continue
      shifted += text.slice(copied, offset) + replacement
      copied = offset + name.length
    }
  }
  return Buffer.from(shifted + text.slice(copied))
}
