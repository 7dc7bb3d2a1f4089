import { randomUUID } from 'node:crypto'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import type { BranchRecords } from '../run/report/branch-records.ts'

/** A pull request, and if the forge named it; else that is concluded from its absence or from an error. */
export interface StandingPullRequest {
  readonly record: PullRequestRecord
  readonly isNamed: boolean
}

/** The pull request in the record of a branch, as one of several hydrators changes it that decide by it. */
export class RecordedPullRequest {
  readonly #records: Pick<BranchRecords, 'changePullRequest'>
  readonly #key: string
  #now: PullRequestRecord | undefined
  #isOvertaken = false

  /** @param now the record as it was read; undefined for none */
  constructor(
    records: Pick<BranchRecords, 'changePullRequest'>,
    key: string,
    now: PullRequestRecord | undefined,
  ) {
    this.#records = records
    this.#key = key
    this.#now = now
  }

  /** True if somebody else wrote before an attempt began. */
  get isOvertaken(): boolean {
    return this.#isOvertaken
  }

  /**
   * Begins an attempt to open or update it.
   * @param before the record without any attempt
   * @throws ConflictError if somebody else wrote meanwhile
   */
  async begin(before: PullRequestRecord): Promise<void> {
    const begun = { ...before, isSettled: false, attempt: randomUUID() }
    // An old definition drops the name of the attempt, which is no change of somebody else.
    this.#now = await this.#records.changePullRequest(this.#key, (found) => {
      this.#isOvertaken = !this.isAsKnown(found)
      if (!this.#isOvertaken) return begun
      throw new ConflictError(`the pull request of HydratedBranch ${this.#key} was changed meanwhile`)
    })
  }

  /**
   * Records how it stands, undefined for none. If the forge did not name it, what somebody else wrote meanwhile stays, and is looked at
   * again: this may have changed something.
   */
  async write(next: StandingPullRequest | undefined): Promise<void> {
    await this.#records.changePullRequest(this.#key, (found) => {
      if (next?.isNamed || this.isAsKnown(found)) return next?.record
      return found && { ...found, isSettled: false }
    })
  }

  /** True if this is what was read or begun. */
  isAsKnown(record: PullRequestRecord | undefined): boolean {
    return canonicalJson(record ?? {}) === canonicalJson(this.#now ?? {})
  }
}
