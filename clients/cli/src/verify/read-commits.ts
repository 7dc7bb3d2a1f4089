import { type Envelope, readEnvelopes } from '@wadi/signatures/attestations/envelope.ts'
import { type HydrationStatement, readStatement } from '@wadi/signatures/attestations/statement.ts'
import type { KnownSigners } from '@wadi/signatures/known-signers.ts'
import type { SignatureCheck } from '@wadi/signatures/signature-check.ts'
import { readSignedObject, type SignedObject } from '@wadi/signatures/signed-object.ts'
import type { HistoryCommit, HydratedHistory } from './hydrated-history.ts'

/** A commit with what is to be verified of it. */
export interface ReadCommit {
  readonly commit: HistoryCommit
  readonly isMerge: boolean
  readonly object: SignedObject
  readonly envelopes: readonly (Envelope | undefined)[]
}

/** Reads the commits from the head down to the first attested one, or to what was verified before. */
export async function readCommits(
  history: HydratedHistory,
  head: string,
  since: string | undefined,
): Promise<ReadCommit[]> {
  const walked = walk(await history.commits(head, since), head)
  const read = await Promise.all(
    walked.map(async ({ commit, isMerge }): Promise<ReadCommit> => {
      const [bytes, text] = await Promise.all([
        history.commitBytes(commit.sha),
        history.attestations(commit.sha),
      ])
      return {
        commit,
        isMerge,
        object: readSignedObject('commit', commit.sha, bytes),
        envelopes: readEnvelopes(text),
      }
    }),
  )
  const first = read.findLastIndex(({ envelopes }) => envelopes.length > 0)
  return since === undefined && first >= 0 ? read.slice(0, first + 1) : read
}

/**
 * Walks from the head along first parents; of a merge that has the files of one of its parents, along that one. It stands for that parent only
 * if the others led to it: one that puts old files back has those of a parent, too.
 */
function walk(
  all: ReadonlyMap<string, HistoryCommit>,
  head: string,
): Pick<ReadCommit, 'commit' | 'isMerge'>[] {
  const sameParent = ({ tree, parents }: HistoryCommit): string | undefined =>
    parents.length < 2 ? undefined : parents.findLast((parent) => all.get(parent)?.tree === tree)
  const path = new Map<string, HistoryCommit>()
  for (let commit = all.get(head); commit !== undefined;) {
    path.set(commit.sha, commit)
    commit = all.get(sameParent(commit) ?? commit.parents[0] ?? '')
  }
  const ledHere = (parent: string): boolean => {
    let commit = all.get(parent)
    while (commit !== undefined && !path.has(commit.sha)) {
      const same = sameParent(commit)
      if (same === undefined) return false
      commit = all.get(same)
    }
    return true
  }
  const isMerge = (commit: HistoryCommit) => sameParent(commit) !== undefined && commit.parents.every(ledHere)
  return [...path.values()].map((commit) => ({ commit, isMerge: isMerge(commit) }))
}

/** The verdicts on the signatures of a commit, and the statements that a known key signed. */
export interface CommitCheck {
  readonly commit: SignatureCheck
  readonly statements: readonly HydrationStatement[]
  readonly problems: readonly string[]
}

/** Returns the verdicts on all signatures of commits and statements. */
export async function checkCommits(
  read: readonly ReadCommit[],
  signers: KnownSigners,
  signal: AbortSignal,
): Promise<CommitCheck[]> {
  const signed = read.flatMap(({ object, envelopes }) => [
    { bytes: object.payload, signature: Buffer.from(object.signature, 'latin1'), at: object.at },
    ...envelopes.flatMap((envelope) =>
      (envelope?.signatures ?? []).map(({ bytes }) => ({
        bytes: envelope?.signed ?? bytes,
        signature: bytes,
        at: object.at,
      })),
    ),
  ])
  const verdicts = (await signers.checkAll(signed, signal)).values()
  const next = (): SignatureCheck => verdicts.next().value ?? { kind: 'unsigned' }
  return read.map(({ envelopes }) => {
    const commit = next()
    const statements: HydrationStatement[] = []
    const problems: string[] = []
    for (const envelope of envelopes) {
      const checks = (envelope?.signatures ?? []).map(next)
      const statement = envelope && readStatement(envelope.payload)
      if (!statement) problems.push('a line of its attestations is not a statement about a hydrated commit')
      else if (checks.some(({ kind }) => kind === 'good')) statements.push(statement)
      else problems.push(`its attestation is not signed by a known key: ${signatureText(checks[0])}`)
    }
    return { commit, statements, problems }
  })
}

/** The key of a good signature, or what is wrong with one. */
export function signatureText(check: SignatureCheck | undefined): string {
  if (check === undefined || check.kind === 'unsigned') return 'not signed'
  if (check.kind === 'unreadable') return `the signature is not valid: ${check.reason}`
  const { shown, owner } = check.key
  const key = owner === '' ? shown : `${shown} (${owner})`
  if (check.kind === 'good') return key
  const reasons = {
    bad: `the signature of key ${key} is bad`,
    unknownKey: `signed by unknown key ${key}`,
    expired: `key ${key} is expired`,
    notYetValid: `key ${key} was not valid yet`,
    revoked: `key ${key} is revoked`,
  }
  return reasons[check.kind]
}
