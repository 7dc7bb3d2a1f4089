import { attestationPath } from '@wadi/signatures/attestations/attestation-places.ts'
import { readEnvelopes, signedEnvelope } from '@wadi/signatures/attestations/envelope.ts'
import { readStatement, testResultType } from '@wadi/signatures/attestations/statement.ts'
import type { CommitSigner } from '@wadi/signatures/signing/commit-signer.ts'
import type { WrittenRepository } from '../push/repository-writer.ts'
import { type Attested, attestedDirectories, type RenderedCommit } from './attest-commit.ts'
import { testResultStatement } from './gate-results.ts'

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
  const lines = held.split('\n').filter(Boolean)
  const isHeld = readEnvelopes(held).some((envelope) => envelope?.payload.equals(payload))
  if (isHeld) return undefined
  const replaced = new Set(attested.map(({ path }) => path || '.'))
  const kept = lines.filter((line) => !isReplaced(line, replaced))
  return async (signal) => {
    const line = await signedEnvelope(statement, signer, signal)
    const files = [{ path: attestationPath(sha), content: [...kept, line, ''].join('\n') }]
    return { files, results: statement }
  }
}

/** Returns true for what gates found in none but these directories. */
function isReplaced(line: string, names: ReadonlySet<string>): boolean {
  const [envelope] = readEnvelopes(line)
  const statement = envelope && readStatement(envelope.payload)
  if (statement?.predicateType !== testResultType) return false
  return [...statement.directories.keys()].every((name) => names.has(name))
}
