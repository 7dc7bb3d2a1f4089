import { createHash } from 'node:crypto'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { findNote } from '@wadi/git/commit/read-note.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { type DryRecord, readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { isJsonText } from '@wadi/manifests/is-json-text.ts'

/** The dry side of a hydrated commit by its note. */
interface DryNote {
  /** One JSON document; empty when nothing in the note names a dry commit. */
  readonly text: string
  /** The reason why promoters cannot read the note, as the end of a sentence about its commit; undefined if they can. */
  readonly problem?: string
}

/** The most of a note's text that is looked through for a document in it. */
const maxDocuments = 100

/**
 * Reads the note on a commit, undefined without one. Git, Argo CD and people write notes too: of several, and of several documents in
 * one, the last counts.
 */
export async function readDryNote(
  mirror: Mirror,
  trees: TreeCache,
  notes: string | undefined,
  sha: string,
): Promise<DryNote | undefined> {
  const found = notes === undefined ? undefined : await findNote(mirror, trees, notes, sha)
  if (!found) return undefined
  const text = lastDocument(found.text)
  if (found.count > 1) return { text, problem: `has ${found.count} notes in the place of one` }
  if (text === '') return { text, problem: 'has a note that names no dry commit' }
  if (text !== found.text) return { text, problem: 'has a note that is not one JSON document' }
  return { text }
}

/** The last JSON document of a note that names a dry commit, to the end of the text; empty for none. */
function lastDocument(note: string): string {
  const starts = [...note.matchAll(/(?<=^\s*|\}\s*)\{/gu)].slice(-maxDocuments).map(({ index }) => index)
  const candidates = [note, ...starts.toReversed().map((start) => note.slice(start))]
  return candidates.find((text) => isJsonText(text) && readHydratorMetadata(text).drySha !== '') ?? ''
}

/**
 * Checks that the ref of the notes names a commit, on which notes can be built without force.
 * @throws FailedPreconditionError
 */
export async function assertNotesCommit({ objects }: Mirror, notes: string): Promise<void> {
  if ((await objects.resolve(`${notes}^{commit}`)) === notes) return
  throw new FailedPreconditionError(
    `${notesRef} names ${notes.slice(0, 7)}, which is not a commit of notes; remove the ref with "git push origin :${notesRef}"`,
  )
}

/**
 * The text of a note: what promoters read is `drySha`, the dry commits of all sources stand beside it when there are several.
 * @param installation id of the installation that writes it; empty to name none
 */
export function dryNoteText({ drySha, dryCommits }: DryRecord, installation = ''): string {
  const listed = dryCommits.map(({ repoUrl: repoURL, targetRevision, chart, drySha: sha }) => ({
    repoURL,
    targetRevision,
    ...(chart && { chart }),
    drySha: sha,
  }))
  const note = {
    drySha,
    ...(listed.length > 0 && { dryCommits: listed }),
    ...(installation && { installation }),
  }
  return `${JSON.stringify(note)}\n`
}

/** Identifies a note by its content; empty for none. */
export function noteId(note: string): string {
  return note === '' ? '' : createHash('sha256').update(note).digest('base64url').slice(0, 22)
}
