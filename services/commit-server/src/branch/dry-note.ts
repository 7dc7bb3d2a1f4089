import { createHash } from 'node:crypto'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'

/** The dry commit that a branch holds of one dry source. */
interface HeldDryCommit {
  repoUrl: string
  targetRevision: string
  drySha: string
}

/** What a note or a root `hydrator.metadata` says of the dry side. */
export interface DryRecord {
  /** The newest dry commit that the branch holds; empty unless it is a commit id. */
  drySha: string
  /** One for each dry source on a branch that several feed; none otherwise. */
  dryCommits: HeldDryCommit[]
}

const maxDryCommits = 1_000

/** The text of a note: what promoters read is `drySha`, the dry commits of all sources stand beside it when there are several. */
export function dryNoteText({ drySha, dryCommits }: DryRecord): string {
  const listed = dryCommits.map(({ repoUrl: repoURL, targetRevision, drySha: sha }) => ({
    repoURL,
    targetRevision,
    drySha: sha,
  }))
  return `${JSON.stringify({ drySha, ...(listed.length > 0 && { dryCommits: listed }) })}\n`
}

/** Reads a note or metadata text, which anybody with push rights may have written: what cannot be read says nothing. */
export function readDryRecord(text: string): DryRecord {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (value === null || typeof value !== 'object') return { drySha: '', dryCommits: [] }
  const listed: unknown[] = 'dryCommits' in value && Array.isArray(value.dryCommits) ? value.dryCommits : []
  return {
    drySha: 'drySha' in value ? commitId(value.drySha) : '',
    dryCommits: listed.slice(0, maxDryCommits).flatMap((entry) => heldDryCommit(entry)),
  }
}

/** Identifies a note by its content; empty for none. */
export function noteId(note: string): string {
  return note === '' ? '' : createHash('sha256').update(note).digest('base64url').slice(0, 22)
}

function heldDryCommit(entry: unknown): HeldDryCommit[] {
  if (entry === null || typeof entry !== 'object') return []
  const repoUrl = 'repoURL' in entry ? entry.repoURL : undefined
  const targetRevision = 'targetRevision' in entry ? entry.targetRevision : undefined
  const drySha = 'drySha' in entry ? commitId(entry.drySha) : ''
  if (typeof repoUrl !== 'string' || typeof targetRevision !== 'string' || drySha === '') return []
  return [{ repoUrl, targetRevision, drySha }]
}

function commitId(value: unknown): string {
  return typeof value === 'string' && isCommitSha(value) ? value : ''
}
