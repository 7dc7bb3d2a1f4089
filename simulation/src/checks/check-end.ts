import { branchKey } from '@wadi/hydration/branch-key.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import type { Beyond } from '../mesh/mesh.ts'
import { repoUrl } from '../world/objects.ts'
import type { Ledger } from './ledger.ts'

/** Returns what is not yet as it must be when nothing disturbs a world any more, as sentences. */
export function checkEnd(ledger: Ledger, { git, redis, store }: Beyond): string[] {
  const branches = new Set(ledger.applications.map(({ branch }) => branch))
  const main = git.refs.get('refs/heads/main') ?? ''
  const problems = [...branches].flatMap((branch) => {
    const head = git.refs.get(`refs/heads/${branch}`)
    if (head === undefined) return [`${branch} does not exist`]
    const { drySha } = readHydratorMetadata(ledger.noteOf(head, git.refs.get(notesRef)))
    const record = store.get('HydratedBranch', 'argocd', branchKey(repoUrl, branch))
    const groups = record ? readHydratedBranch(record).status.groups : []
    const differing = ledger.differing(head, branch, main, false)
    return [
      ...(drySha === main
        ? []
        : [`the note of ${branch} names dry commit ${ledger.rank.get(drySha)}, not the newest`]),
      ...(differing.length === 0
        ? []
        : [`${branch} does not hold ${differing.join(', ')} of the newest dry commit`]),
      ...(groups.length > 0 &&
      groups.every(({ phase, success }) => phase === 'Hydrated' && success?.drySha === main)
        ? []
        : [`the status of ${branch} is ${groups.map(({ phase, message }) => `${phase} ${message}`).join()}`]),
    ]
  })
  const { waiting, active, delayed } = redis.depth()
  const jobs = waiting + active + delayed
  return jobs === 0 ? problems : [...problems, `${jobs} jobs are in the queue`]
}
