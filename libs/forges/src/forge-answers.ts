/** The protocol by which git reaches a repository. */
export type CloneProtocol = 'ssh' | 'https'

/** A repository of a forge. */
export interface ForgeRepository {
  /** The organisation, group or owner, with all groups above it. */
  organization: string
  name: string
  id: string
  cloneUrls: Readonly<Record<CloneProtocol, string>>
  /** Empty for a repository without one. */
  defaultBranch: string
  topics: readonly string[]
  isArchived: boolean
}

/** A branch of a repository. */
export interface ForgeBranch {
  name: string
  sha: string
}

/** The repositories of an organisation, group or owner. */
export interface RepositorySource {
  repositories(): Promise<ForgeRepository[]>
  /** Returns the labels of a repository for filters and templates. */
  labels(repository: ForgeRepository): Promise<readonly string[]>
  /** The default branch, or all of them; none for a repository that is empty. */
  branches(repository: ForgeRepository): Promise<ForgeBranch[]>
  hasPath(repository: ForgeRepository, branch: string, path: string): Promise<boolean>
}

/** A pull request, or merge request. */
export interface PullRequest {
  number: string
  title: string
  branch: string
  targetBranch: string
  headSha: string
  /** Empty for one whose author is gone. */
  author: string
  labels: readonly string[]
}

/** A repository as far as its pull requests are concerned. */
export interface PullRequestSource {
  /** Every address that the repository can be cloned from. */
  cloneUrls(): Promise<string[]>
  /** Those that have all of the wanted labels. */
  pullRequests(): Promise<PullRequest[]>
}
