/** A pull request, or merge request, with what is needed to keep it. */
export interface KeptPullRequest {
  readonly number: string
  readonly title: string
  readonly body: string
  /** Its page for people. */
  readonly url: string
  readonly headSha: string
  readonly headBranch: string
  /** For example `team/shop`; empty when it is gone. */
  readonly headRepository: string
  readonly baseBranch: string
  readonly isFork: boolean
  /** True if the head must be fetched from its own repository, as the forge does not serve it in this one; false by default. */
  readonly isHeadElsewhere?: boolean
  /** Empty for one whose author is gone. */
  readonly author: string
  readonly isDraft: boolean
  /** RFC 3339; empty when the forge does not say it. */
  readonly updatedAt: string
  readonly state: 'open' | 'merged' | 'closed'
  readonly labels: readonly string[]
}

/** The status of a commit. */
export interface CommitStatus {
  readonly context: string
  readonly state: 'pending' | 'success' | 'failure' | 'error'
  readonly description: string
  /** Empty for none. */
  readonly targetUrl: string
}

/** A comment of a pull request. */
export interface ForgeComment {
  readonly id: string
  readonly body: string
  /** Its page for people; may be a part of that of the pull request, such as `#note_7`. */
  readonly url: string
}

/** A mark at a line of a file. */
export interface ReviewAnnotation {
  readonly path: string
  /** From 1; 0 for the file as a whole. */
  readonly line: number
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
}

/** The reviewed commit, and the name of the review. */
export interface AnnotatedCommit {
  readonly sha: string
  readonly context: string
  /** One line. */
  readonly summary: string
}

/** The answer if the forge would merge a pull request now. */
export type Mergeability = { isReady: true } | { isReady: false; waitingFor: string }

/** The way in which a merge makes commits. */
export type MergeMethod = 'merge' | 'squash' | 'rebase'

/** One repository of a forge, as far as reviews of its pull requests are concerned. Every call throws what `ForgeClient.ask` throws. */
export interface ReviewingForge {
  /** Characters that texts may have. */
  readonly limits: {
    readonly comment: number
    readonly description: number
    readonly title: number
    /** Of the text of a pull request; as of a comment by default. */
    readonly body?: number
  }
  /** The line that hides a marker in a comment. */
  readonly hidden: (marker: string) => string
  /** A report in Markdown as the forge can show it. */
  readonly shown: (report: string) => string
  visibility(): Promise<'public' | 'internal' | 'private'>
  /** Says whether rules limit who may push to a branch; undefined for a branch that is not there. Absent where the forge tells only its administrators. */
  readonly isProtected?: (branch: string) => Promise<boolean | undefined>
  openPullRequests(): Promise<KeptPullRequest[]>
  pullRequest(number: string): Promise<KeptPullRequest>
  /** The newest status of a context; undefined for none. */
  status(sha: string, context: string): Promise<CommitStatus | undefined>
  /** Writes the status of a commit; `number` names the pull request that it is the head of. */
  putStatus(sha: string, status: CommitStatus, number?: string): Promise<void>
  comments(number: string): Promise<ForgeComment[]>
  /**
   * The comments that the account of the token wrote. Only for a forge whose commits of forks have no status: it is kept in the comment then.
   */
  readonly ownComments?: (number: string) => Promise<ForgeComment[]>
  addComment(number: string, body: string): Promise<ForgeComment>
  changeComment(number: string, id: string, body: string): Promise<ForgeComment>
  /** Replaces the annotations of a context; `unsupported` where the forge or the credentials have none. */
  putAnnotations(
    commit: AnnotatedCommit,
    annotations: readonly ReviewAnnotation[],
  ): Promise<'written' | 'unchanged' | 'unsupported'>
}

/** One repository of a forge, as far as pull requests are opened and kept in it. Every call throws what `ForgeClient.ask` throws. */
export interface KeepingForge {
  /** The open pull request between two branches of the repository; undefined for none. */
  openBetween(head: string, base: string): Promise<KeptPullRequest | undefined>
  open(parts: { head: string; base: string; title: string; body: string }): Promise<KeptPullRequest>
  update(number: string, parts: { title: string; body: string }): Promise<KeptPullRequest>
  close(number: string): Promise<KeptPullRequest>
  /** Opens a closed one again. Absent where one that was closed stays closed. */
  readonly reopen?: (number: string) => Promise<KeptPullRequest>
  addLabels(pullRequest: KeptPullRequest, labels: readonly string[]): Promise<void>
  /** The accounts that were asked for a review or gave one. */
  reviewers(number: string): Promise<readonly string[]>
  /** Asks more accounts; `present` are those that are asked already. */
  addReviewers(
    pullRequest: KeptPullRequest,
    accounts: readonly string[],
    present: readonly string[],
  ): Promise<void>
  mergeability(pullRequest: KeptPullRequest): Promise<Mergeability>
  /** Merges it while its head is `headSha`. */
  merge(number: string, parts: { method: MergeMethod; headSha: string }): Promise<void>
}

/** One repository of a forge, as far as its pull requests are concerned. */
export type PullRequestForge = ReviewingForge & KeepingForge
