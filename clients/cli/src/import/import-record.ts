import { applyPatch, parsePatch, reversePatch, type StructuredPatch } from 'diff'
import { CommandFailure } from '../command-line/command-failure.ts'
import { gitPatch } from '../render/git-patch.ts'
import type { FileChange } from './file-change.ts'
import { readInside } from './write-files.ts'

/** The file at the root of the repository with the patches of what was imported, which lead back. */
export const recordFile = '.wadi-import.patch'

/** Returns the changes after that of the record, which leads back from each of them, also if not all are made. */
export async function recorded(root: string, changes: readonly FileChange[]): Promise<FileChange[]> {
  if (changes.length === 0) return []
  const before = await readInside(root, recordFile)
  const after = before + changes.map((change) => gitPatch(change)).join('')
  return [{ path: recordFile, before, after }, ...changes]
}

/**
 * Returns the changes that lead back to the files before they were imported, and take them out of the record.
 * @param isWanted true for the path of a file that goes back
 * @throws CommandFailure without a record, and for files that were changed at the same places since
 */
export async function revertedFiles(
  root: string,
  isWanted: (path: string) => boolean,
): Promise<FileChange[]> {
  const record = await readInside(root, recordFile)
  if (record === '') {
    throw new CommandFailure(
      `${root} has no ${recordFile}, which "wadi import --write" leaves; go back with git`,
    )
  }
  const sections = record.split(/^(?=diff --git )/m)
  const texts = new Map<string, FileChange>()
  const [kept, failed]: [string[], string[]] = [[], []]
  for (const { section, patch, path, together } of withTogether(sections).toReversed()) {
    if (!together.some(isWanted)) {
      kept.unshift(section)
      continue
    }
    const before = texts.get(path)?.before ?? (await readInside(root, path))
    const current = texts.get(path)?.after ?? before
    const after = applyPatch(current, reversePatch(patch), { autoConvertLineEndings: false })
    if (after !== false) texts.set(path, { path, before, after })
    // One that could be applied again was taken back by hand.
    else if (applyPatch(current, patch, { autoConvertLineEndings: false }) === false) {
      failed.push(`${path}:${patch.hunks[0]?.newStart ?? 1}`)
    }
  }
  if (failed.length > 0) {
    throw new CommandFailure(
      `${failed.toReversed().join(', ')}: changed since, where import changed it; nothing goes back. Name other files, or go back there by hand or with git`,
    )
  }
  return [...texts.values(), { path: recordFile, before: record, after: kept.join('') }]
}

interface RecordSection {
  readonly section: string
  readonly patch: StructuredPatch
  readonly path: string
  /** The paths of what an Application and its options went into: they go back together. */
  readonly together: readonly string[]
}

/** The files with options of an Application are before the file that it is in. */
function withTogether(sections: readonly string[]): RecordSection[] {
  const read = sections.map((section) => ({ section, ...readSection(section) }))
  let paths: string[] = []
  return read.map((one, index) => {
    if (index === 0 || !isOverrideFile(read[index - 1]?.path ?? '')) paths = []
    paths.push(one.path)
    return { ...one, together: paths }
  })
}

/** True for a file with the options of one Application. */
function isOverrideFile(path: string): boolean {
  return /(?:^|\/)\.argocd-source-[^/]+\.yaml$/.test(path)
}

function readSection(section: string): { patch: StructuredPatch; path: string } {
  const [patch] = parsePatch(section)
  const name = [patch?.newFileName, patch?.oldFileName].find(
    (one) => one !== undefined && one !== '/dev/null',
  )
  if (patch && name !== undefined) return { patch, path: name.replace(/^[ab]\//, '') }
  throw new CommandFailure(
    `${recordFile} is damaged: ${JSON.stringify(section.slice(0, 80))}; go back with git`,
  )
}
