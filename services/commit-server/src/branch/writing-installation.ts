import type { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { readCommitMetadata } from '@wadi/git/commit/commit-metadata.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import type { BranchState } from './branch-state.ts'
import { readDryNote } from './dry-note.ts'

/** The most commits of others on top of the newest one of an installation. */
const maxCommits = 100

/**
 * Finds which installation wrote the newest commit with a note, along first parents: others may have commits on top of it. Empty when the note
 * names none, and when none of the newest 100 commits has a note.
 */
export async function writingInstallation(
  mirror: Mirror,
  trees: TreeCache,
  { head, note, notes }: BranchState,
): Promise<string> {
  if (note !== '' || notes === undefined) return readHydratorMetadata(note).installation
  let sha = head
  if (head !== undefined) await mirror.completeHistory([head])
  for (let commits = 0; sha !== undefined && commits < maxCommits; commits++) {
    const found = await readDryNote(mirror, trees, notes, sha)
    if (found) return readHydratorMetadata(found.text).installation
    if ((await mirror.objects.resolve(sha)) === undefined) return ''
    sha = (await readCommitMetadata(mirror.objects, sha)).parents[0]
  }
  return ''
}
