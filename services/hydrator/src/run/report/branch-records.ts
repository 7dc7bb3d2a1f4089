import { AlreadyExistsError, ConflictError, NotFoundError } from '@wadi/errors/domain-error.ts'
import {
  type HydratedBranchStatus,
  type PullRequestRecord,
  readHydratedBranch,
} from '@wadi/hydration/hydrated-branch.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutateStatus, type ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { ObservedRun } from '../branch-run.ts'

/**
 * The records of branches. A store that follows a cluster shows what other hydrators wrote when its watch reports it, after an outage
 * seconds later; so hydrators share which version they wrote last, and none repeats a run because its record is not there yet.
 */
export class BranchRecords {
  readonly #store: ResourceStore
  readonly #shared: SharedMemory

  constructor(store: ResourceStore, shared: SharedMemory) {
    this.#store = store
    this.#shared = shared
  }

  /**
   * Returns the record of a branch; undefined before its first run.
   * @throws UnavailableError if the known record is old and the store is unreachable
   */
  async read(key: string): Promise<HydratedBranchStatus | undefined> {
    const written = await this.#shared.recall(sharedName(key))
    const atLeast = written && { atLeast: written.toString() }
    const record = await this.#store.get('HydratedBranch', controlPlaneNamespace, key, atLeast)
    return record && readHydratedBranch(record).status
  }

  async write(run: ObservedRun, status: HydratedBranchStatus): Promise<void> {
    await this.#remember(run.key, await this.#put(run, status))
  }

  /**
   * Changes what is recorded of the pull request of a branch, undefined for none; whatever else is recorded stays.
   * @param change is called again if somebody else writes at the same time
   * @returns what the store keeps of it
   */
  async changePullRequest(
    key: string,
    change: (found: PullRequestRecord | undefined) => PullRequestRecord | undefined,
  ): Promise<PullRequestRecord | undefined> {
    const written = await mutateStatus(
      this.#store,
      'HydratedBranch',
      controlPlaneNamespace,
      key,
      (current) => {
        const { pullRequest: _before, ...rest } = current.status ?? {}
        const pullRequest = change(pullRequestOf(current).pullRequest)
        return { ...current, status: pullRequest ? { ...rest, pullRequest } : rest }
      },
    )
    await this.#remember(key, written)
    return pullRequestOf(written).pullRequest
  }

  async #remember(key: string, { metadata: { resourceVersion } }: Resource): Promise<void> {
    if (resourceVersion === undefined) return
    await this.#shared.remember(sharedName(key), Buffer.from(resourceVersion))
  }

  async #put(
    { key, repoUrl, branch, project }: ObservedRun,
    status: HydratedBranchStatus,
  ): Promise<Resource> {
    // A run knows the pull request only as it was when the run began.
    const { pullRequest: _then, ...ofRun } = status
    const put = () =>
      mutateStatus(this.#store, 'HydratedBranch', controlPlaneNamespace, key, (current) => ({
        ...current,
        status: { ...ofRun, ...pullRequestOf(current) },
      }))
    try {
      return await put()
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error
      await this.#create({
        apiVersion: 'wadi.dev/v1alpha1',
        kind: 'HydratedBranch',
        metadata: { name: key, namespace: controlPlaneNamespace },
        spec: { repoURL: repoUrl, branch, project },
      })
      return put()
    }
  }

  /** @throws ConflictError if another run did, of which this store has not heard yet */
  async #create(record: Resource): Promise<void> {
    try {
      await this.#store.create(record)
    } catch (cause) {
      if (!(cause instanceof AlreadyExistsError)) throw cause
      const { name } = record.metadata
      throw new ConflictError(`HydratedBranch ${name} was created by another run; it is read again`, {
        cause,
      })
    }
  }
}

function pullRequestOf(record: Resource): Pick<HydratedBranchStatus, 'pullRequest'> {
  const { pullRequest } = readHydratedBranch(record).status
  return pullRequest ? { pullRequest } : {}
}

function sharedName(key: string): string {
  return `record:${key}`
}
