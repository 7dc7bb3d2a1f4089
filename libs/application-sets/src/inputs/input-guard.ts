/** A cluster as far as rights to it are concerned. */
export interface GuardedCluster {
  server: string
  /** Empty for a cluster of no project. */
  project: string
}

/**
 * Decides what generators may read, for whoever the Applications are made for. It is asked before anything is read,
 * each time, also for what one generator makes another one read.
 */
export interface InputGuard {
  /**
   * @param project the project of the set's template; empty when each Application gets its own
   * @throws PermissionDeniedError that is equal for a missing and a forbidden repository;
   *   InvalidInputError for an address that is not an address of a repository
   */
  repository(repoUrl: string, project: string): Promise<void>
  /** @throws PermissionDeniedError unless every cluster may be seen; it names none */
  clusters(clusters: readonly GuardedCluster[]): void
}

/** Lets everything be read. */
export const openGuard: InputGuard = { repository: () => Promise.resolve(), clusters: () => undefined }
