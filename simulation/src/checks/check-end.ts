import { branchKey } from '@wadi/hydration/branch-key.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import type { Beyond } from '../mesh/mesh.ts'
import { repoUrl } from '../world/objects.ts'
import type { ForgeCheck } from './check-forge.ts'
import type { Ledger } from './ledger.ts'

/** The end of a world: what must hold once nothing disturbs it any more. */
export class EndCheck {
  readonly #ledger: Ledger
  readonly #beyond: Beyond
  readonly #forge: ForgeCheck
  /** The findings about refs and objects, with the versions of them that were looked at. */
  #seen: { readonly versions: string; readonly problems: readonly string[] } | undefined

  constructor(ledger: Ledger, beyond: Beyond, forge: ForgeCheck) {
    this.#ledger = ledger
    this.#beyond = beyond
    this.#forge = forge
  }

  /** Returns what is not yet as it must be, as sentences. */
  problems(): readonly string[] {
    const { git, redis, store, forge } = this.#beyond
    const versions = `${git.moves} ${store.version} ${forge.writes}`
    if (this.#seen?.versions !== versions) this.#seen = { versions, problems: this.#ofBranches() }
    const jobs = redis.jobCount
    return jobs === 0 ? this.#seen.problems : [...this.#seen.problems, `${jobs} jobs are in the queue`]
  }

  #ofBranches(): string[] {
    const main = this.#beyond.git.refs.get('refs/heads/main') ?? ''
    const branches = new Set(this.#ledger.applications.map(({ branch }) => branch))
    return [...branches].flatMap((branch) => this.#ofBranch(branch, main))
  }

  #ofBranch(branch: string, main: string): string[] {
    const { git, store } = this.#beyond
    const ledger = this.#ledger
    const head = git.refs.get(`refs/heads/${branch}`)
    if (head === undefined) return [`${branch} does not exist`]
    const problems: string[] = []
    const { drySha } = readHydratorMetadata(ledger.noteOf(head, git.refs.get(notesRef)))
    if (drySha !== main) {
      problems.push(`the note of ${branch} names dry commit ${ledger.rank.get(drySha)}, not the newest`)
    }
    const differing = ledger.differing(head, branch, main, false)
    if (differing.length > 0) {
      problems.push(`${branch} does not hold ${differing.join(', ')} of the newest dry commit`)
    }
    const record = store.get('HydratedBranch', 'argocd', branchKey(repoUrl, branch))
    const groups = record ? readHydratedBranch(record).status.groups : []
    const isHydrated =
      groups.length > 0 &&
      groups.every(({ phase, success }) => phase === 'Hydrated' && success?.drySha === main)
    if (!isHydrated) {
      problems.push(
        `the status of ${branch} is ${groups.map(({ phase, message }) => `${phase} ${message}`).join()}`,
      )
    }
    return [...problems, ...this.#forge.missing(branch, record)]
  }
}
