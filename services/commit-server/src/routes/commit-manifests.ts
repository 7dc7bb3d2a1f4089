import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type {
  CommitManifests,
  CommitManifestsRequest,
  CommitManifestsResponseSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { storeContents } from '@wadi/git/commit/fast-import.ts'
import { positionOf } from '../branch/branch-position.ts'
import { type CommitRequest, readCommitRequest } from '../commit/commit-request.ts'
import { type CommitOutcome, writeCommit } from '../commit/write-commit.ts'
import { signingOf } from '../commit/commit-signing.ts'
import type { CommitServerContext } from '../context.ts'
import { useDestination } from '../write-credentials.ts'

/** The answer of `CommitManifests`; empty for a commit that did not land. */
export type CommitAnswer = Extract<
  MessageInitShape<typeof CommitManifestsResponseSchema>,
  { $typeName?: never }
>

/** Makes the content of one dry commit that of one hydrated branch. */
export function commitManifests(context: CommitServerContext) {
  return async (requests: AsyncIterable<CommitManifestsRequest>, { signal }: HandlerContext) => {
    using coming = new DisposableStack()
    const request = await readCommitRequest(requests, {
      maxBytes: context.maxCommitBytes,
      onHeader: async (header) => {
        coming.use(await expectedWrite(context, header))
      },
      store: (header, contents) =>
        useDestination(context, header, (mirror) => storeContents(mirror, contents, signal)),
    })
    const { repoUrl, project } = request.header
    const signing = signingOf(context, project, repoUrl)
    const outcome = await useDestination(context, request.header, (mirror) => {
      const writing = writeCommit(context.writers.of(mirror), request, signing, signal)
      // It waits for its push from now on.
      coming[Symbol.dispose]()
      return writing
    })
    return committed(context, request, outcome, await isAnonymous(context, repoUrl, project))
  }
}

/** Says what a commit came to; `anonymous` is whether the server took its push from nobody in particular. */
export function committed(
  { events }: CommitServerContext,
  { header }: CommitRequest,
  outcome: CommitOutcome,
  anonymous: boolean,
): CommitAnswer {
  events.committed(header.targetBranch, outcome)
  const { hydratedSha, changedPaths, rebuilt, state, proof } = outcome
  return {
    hydratedSha,
    changedPaths,
    rebuilt,
    position: positionOf(state),
    anonymous,
    ...(proof && { proof }),
  }
}

/**
 * Announces a write to the writer of its repository, whose mirror is kept until then; what keeps the repository from being opened is
 * reported by the write itself.
 */
async function expectedWrite(
  { mirrors, writers }: CommitServerContext,
  { repoUrl, project }: CommitManifests,
): Promise<Disposable | undefined> {
  const lease = await mirrors.lease(repoUrl, project).catch(() => undefined)
  if (lease === undefined) return undefined
  using held = new DisposableStack()
  held.use(lease)
  held.use(writers.of(lease.mirror).expect())
  return held.move()
}

/** Returns true if a server accepts pushes without credentials. */
export async function isAnonymous(
  { repositories }: CommitServerContext,
  repoUrl: string,
  project: string,
): Promise<boolean> {
  return /^https?:/iu.test(repoUrl) && (await repositories.identityFor(repoUrl, project)) === ''
}
