import type { CommitProof } from '@wadi/hydration/hydrated-branch.ts'
import type { RunInProgress } from '../run-outcome.ts'

/** Returns what a head of the branch proves of itself, by the pushes of this run and the record of those before. */
export function recordedProof({ run, outcome }: RunInProgress, commit: string): CommitProof | undefined {
  const before = run.groups
    .map((group) => group.before?.success?.proof)
    .find((proof) => proof?.commit === commit)
  return outcome.landed.reduce((known, { hydratedSha, proof }) => {
    if (!proof || hydratedSha !== commit) return known
    const { fingerprint, owner, attested, gates, gateWarnings, verifiedAt } = proof
    return {
      commit,
      // A commit that is only attested keeps the key that signed it.
      key: fingerprint || (known?.key ?? ''),
      owner: fingerprint === '' ? (known?.owner ?? '') : owner,
      attested: attested || known?.attested === true,
      ...(gates !== '' && { gates }),
      ...(gateWarnings > 0 && { gateWarnings }),
      verifiedAt,
    }
  }, before)
}
