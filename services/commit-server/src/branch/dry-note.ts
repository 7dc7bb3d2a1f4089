import { createHash } from 'node:crypto'
import type { DryRecord } from '@wadi/hydration/hydrator-metadata.ts'

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
