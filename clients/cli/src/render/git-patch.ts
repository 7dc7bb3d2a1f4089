import { formatPatch, structuredPatch } from 'diff'
import type { StructuredPatch } from 'diff'

/** Beyond this many changed lines a minimal patch takes seconds to find; the whole text is replaced then. */
const maxEditLength = 2_000

/**
 * Returns the change of one file as a patch that `git apply` takes; an empty text is a file that does not exist. Nothing
 * is returned for equal texts.
 */
export function gitPatch({ path, before, after }: { path: string; before: string; after: string }): string {
  if (before === after) return ''
  const [isCreate, isDelete] = [before === '', after === '']
  const oldFileName = isCreate ? '/dev/null' : `a/${path}`
  const newFileName = isDelete ? '/dev/null' : `b/${path}`
  const patch = structuredPatch(oldFileName, newFileName, before, after, undefined, undefined, {
    context: 3,
    maxEditLength,
  })
  const hunks = patch?.hunks ?? [wholeText(before, after)]
  const headers = { oldHeader: undefined, newHeader: undefined }
  return formatPatch({ oldFileName, newFileName, ...headers, hunks, isGit: true, isCreate, isDelete })
}

function wholeText(before: string, after: string): StructuredPatch['hunks'][number] {
  const [olds, news] = [linesOf(before), linesOf(after)]
  return {
    oldStart: 1,
    oldLines: olds.length,
    newStart: 1,
    newLines: news.length,
    lines: [...olds.flatMap((line) => signed('-', line)), ...news.flatMap((line) => signed('+', line))],
  }
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}

function signed(sign: string, line: string): string[] {
  return line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file']
}
