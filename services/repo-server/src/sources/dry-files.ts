import type {
  Chart,
  ReferencedSource,
  SourceVerification,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'

/** A request for the files of one revision of a dry source. */
export interface FilesRequest {
  repoUrl: string
  project: string
  /** The revision: a commit's id, or the SHA-256 of a chart's archive. */
  sha: string
  /** Set for a repository of charts. */
  chart?: Chart | undefined
  verification?: SourceVerification | undefined
  /** Other sources, whose files are beside those of the revision. */
  referenced?: readonly ReferencedSource[]
}

/** The files of one revision. */
export interface OpenedFiles {
  readonly tree: FileTree
  /** Repairs what the files are read from if the error shows that it is broken; it goes on to be the caller's. */
  readonly repair: (error: unknown) => Promise<void>
}

/**
 * The files of dry sources. Code that inspects, renders, describes and edits sources reads only through it, so
 * that another kind of place is another implementation.
 */
export interface DryFiles {
  /**
   * Works with the files of a revision, once it has the signatures that the request asks for. There is no other way to
   * them, so that no RPC can forget to verify them.
   * @throws NotFoundError when there is no such revision, and the errors of `requireSignatures`
   */
  use<Result>(
    request: FilesRequest,
    signal: AbortSignal,
    task: (files: OpenedFiles) => Promise<Result>,
  ): Promise<Result>
}
