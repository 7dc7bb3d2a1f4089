import { randomUUID } from 'node:crypto'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import type { BranchRecords } from '../run/report/branch-records.ts'

/** The pull request in the record of a branch, for a change that is decided by it and must not follow the change of another hydrator. */
export class RecordedPullRequest {
  readonly #records: Pick<BranchRecords, 'changePullRequest'>
  readonly #key: string
  #now: PullRequestRecord | undefined

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

  /** Returns what was read or written last. */
  get now(): PullRequestRecord | undefined {
    return this.#now
  }

  /**
   * Begins an attempt to open or update it, which ends with the next write.
   * @param before the record without any attempt
   * @throws ConflictError if somebody else wrote meanwhile
   */
  begin(before: PullRequestRecord): Promise<void> {
    return this.write({ ...before, isSettled: false, attempt: randomUUID() })
  }

  /** @throws ConflictError if somebody else wrote meanwhile */
  async write(next: PullRequestRecord | undefined): Promise<void> {
    await this.#records.changePullRequest(this.#key, (found) => {
      if (canonicalJson(found ?? {}) === canonicalJson(this.#now ?? {})) return next
      throw new ConflictError(`the pull request of HydratedBranch ${this.#key} was changed meanwhile`)
    })
    this.#now = next
  }
}
