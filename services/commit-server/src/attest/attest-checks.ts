import { attestationPath } from '@wadi/signatures/attestations/attestation-places.ts'
import { isSigned, readEnvelopes, signedEnvelope } from '@wadi/signatures/attestations/envelope.ts'
import {
  type HydrationStatement,
  readStatement,
  testResultType,
} from '@wadi/signatures/attestations/statement.ts'
import type { CommitSigner } from '@wadi/signatures/signing/commit-signer.ts'
import type { WrittenRepository } from '../push/repository-writer.ts'
import { type Attested, attestedDirectories, type RenderedCommit } from './attest-commit.ts'
import { testResultStatement } from './gate-results.ts'

/** The most held results that are verified, the newest: anybody with push rights can add lines, and each may take a program. */
const maxVerified = 100

/** A held attestation that says what gates found. */
interface HeldResult {
  readonly statement: HydrationStatement
  readonly payload: Buffer
  /** True if the signer signed it, which may be a new one since. */
  readonly isOwn: boolean
}

/**
 * Returns how a commit that has attestations gets what gates found in some of its directories since, in the place of what they found
 * in the same ones before; undefined if nothing was checked, or is attested already.
 * @param held the attestations of the commit, one envelope a line
 */
export async function attestChecks(
  repository: WrittenRepository,
  branch: string,
  commit: RenderedCommit & { held: string },
  signer: CommitSigner,
): Promise<((signal: AbortSignal) => Promise<Attested>) | undefined> {
  const { sha, held } = commit
  const directories = commit.directories.filter(({ gateRuns }) => gateRuns.length > 0)
  if (directories.length === 0) return undefined
  const attested = await attestedDirectories(repository, { sha, directories })
  const statement = testResultStatement(branch, { sha, directories: attested })
  if (statement === undefined) return undefined
  const payload = Buffer.from(JSON.stringify(statement))
  const heldResults = await readResults(held, sha, signer)
  if (heldResults.values().some((each) => each.isOwn && each.payload.equals(payload))) return undefined
  const replaced = new Set(attested.map(({ path }) => path || '.'))
  const isReplaced = ({ directories: names }: HydrationStatement): boolean =>
    [...names.keys()].every((name) => replaced.has(name))
  const kept = held.split('\n').filter((line) => {
    const result = heldResults.get(line)
    return line !== '' && !(result && isReplaced(result.statement))
  })
  const results = kept.flatMap((line) => {
    const result = heldResults.get(line)
    return result?.isOwn === true ? [result.statement] : []
  })
  return async (signal) => {
    const line = await signedEnvelope(statement, signer, signal)
    const files = [{ path: attestationPath(sha), content: [...kept, line, ''].join('\n') }]
    return { files, results: [...results, readStatement(payload) ?? []].flat() }
  }
}

/** Returns the attestations of a commit that say what gates found, by their lines. */
async function readResults(
  held: string,
  sha: string,
  signer: CommitSigner,
): Promise<ReadonlyMap<string, HeldResult>> {
  const results = new Map<string, HeldResult>()
  for (const line of new Set(held.split('\n').toReversed())) {
    const [envelope] = readEnvelopes(line)
    const statement = envelope && readStatement(envelope.payload)
    if (!envelope || statement?.predicateType !== testResultType) continue
    const isVerified = results.size < maxVerified && statement.commit === sha
    const isOwn = isVerified && (await isSigned(envelope, signer))
    results.set(line, { statement, payload: envelope.payload, isOwn })
  }
  return results
}
