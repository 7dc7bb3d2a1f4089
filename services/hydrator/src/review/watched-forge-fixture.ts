import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { createClient, createRouterTransport, type ServiceImpl } from '@connectrpc/connect'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import {
  ForgeService,
  type PullRequestSchema,
  type PutPullRequestReviewRequest,
} from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { openSingleMemory, type SharedMemory } from '@wadi/queue/shared-memory.ts'
import { toConnectError } from '@wadi/rpc/error-mapping.ts'
import { inMemoryPeer } from '@wadi/rpc/replicas/in-memory-peer-fixture.ts'
import { application, controlPlaneObject, type Peers, startRunFixture } from '../run/run-fixture.ts'
import { PullRequestWatch } from './watch-pull-requests.ts'

/** A commit id. */
export const sha = (digit: string): string => digit.repeat(40)

/** A forge in memory, as commit-server speaks for it. */
interface Forge {
  pulls: MessageInitShape<typeof PullRequestSchema>[]
  /** The pull requests as they are when a review comes; undefined for those that are listed. */
  pullsNow: MessageInitShape<typeof PullRequestSchema>[] | undefined
  /** The answer to comments. */
  rejectsComments: Error | undefined
  /** State by commit. */
  statuses: Map<string, string>
  written: PutPullRequestReviewRequest[]
  /** The repositories that the forge is asked for, in this spelling alone; all when empty. */
  spelling: string
  /** The number of times that pull requests were listed. */
  lists: number
  /** Thrown in place of the next answers, by call. */
  failures: { list: Error[]; put: Error[] }
  /** Resolves before a review is written. */
  mayWrite: Promise<void>
}

/** The answer for a repository whose forge cannot be reached. */
export const noForge = new FailedPreconditionError('no forge', { code: 'no-forge' })

/** A pull request as a forge lists it. */
export function pull(parts: MessageInitShape<typeof PullRequestSchema> = {}) {
  return { number: '7', headSha: sha('a'), baseBranch: 'main', state: 'open', ...parts }
}

function serve(forge: Forge): Partial<ServiceImpl<typeof ForgeService>> {
  const fail = (failures: Error[]): void => {
    const failure = failures.shift()
    if (failure) throw toConnectError(failure)
  }
  return {
    listPullRequests: ({ repoUrl }) => {
      forge.lists++
      fail(forge.failures.list)
      if (![repoUrl, ''].includes(forge.spelling)) throw toConnectError(noForge)
      return { pullRequests: forge.pulls, forge: 'github', maxCommentLength: 65_536 }
    },
    getCommitStatus: ({ sha: commit }) => {
      const state = forge.statuses.get(commit)
      return state === undefined ? {} : { status: { state } }
    },
    putPullRequestReview: async (request) => {
      await forge.mayWrite
      fail(forge.failures.put)
      if (request.comment && forge.rejectsComments) fail([forge.rejectsComments])
      const found = (forge.pullsNow ?? forge.pulls).find(({ number }) => number === request.number)
      if (found?.headSha !== request.headSha) return { isStale: true }
      forge.written.push(request)
      if (request.status) forge.statuses.set(request.headSha, request.status.state)
      return { status: 'written' }
    },
  }
}

/** A repo-server that has every commit but `unknown`, in which one source is what its commit is. */
function repoServer(unknown: string): NonNullable<Peers['repoServer']> {
  return {
    resolveRevisions: ({ revisions }) => ({
      revisions: revisions.map((revision) =>
        revision === unknown
          ? { revision, error: `revision "${revision}" does not exist in the repository` }
          : revision.length === 40
            ? { revision, sha: revision }
            : { revision, sha: sha('0'), ref: 'refs/heads/main' },
      ),
    }),
    findMergeBase: () => ({ sha: sha('0') }),
    readFiles: () => ({ contents: [] }),
    inspectSources: ({ sources, sha: commit }) => ({
      inspections: sources.map(() => ({ fingerprint: `${commit}-fingerprint` })),
    }),
    async *renderSources({ sha: commit }) {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: { commit } }
      const record = create(RenderRecordSchema)
      yield {
        index: 0,
        manifests: [JSON.stringify(object)],
        done: true,
        fingerprint: `${commit}-fingerprint`,
        record,
      }
    },
  }
}

const reviewsOn = controlPlaneObject('ConfigMap', 'argocd-cm', { data: { 'sourceHydrator.reviews': '*' } })

/** Watches the pull requests of a forge in memory, which `unknown` is no commit for. */
export async function startWatch(
  parts: Partial<Forge> = {},
  unknown = '',
  shared?: SharedMemory,
  applications = [application('web')],
) {
  await using owned = new AsyncDisposableStack()
  const none = {
    pullsNow: undefined,
    rejectsComments: undefined,
    lists: 0,
    spelling: '',
    mayWrite: Promise.resolve(),
  }
  const failures = { list: [], put: [] }
  const forge: Forge = { pulls: [pull()], statuses: new Map(), written: [], failures, ...none, ...parts }
  const fixture = owned.use(await startRunFixture({ repoServer: repoServer(unknown) }))
  await fixture.add(reviewsOn, ...applications)
  const transport = createRouterTransport((router) => router.service(ForgeService, serve(forge)))
  const forges = createClient(ForgeService, inMemoryPeer('forges', transport))
  const open = (memory: SharedMemory = openSingleMemory()) =>
    new PullRequestWatch({ ...fixture.context, forges }, { intervalMs: 3_600_000, memory })
  const watch = owned.use(open(shared))
  const states = () => forge.written.map(({ status }) => status?.state)
  const moved = owned.move()
  return { forge, watch, open, states, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

/** Returns whether a commit has its final status. */
export const settled = (forge: Forge, commit = sha('a')) => {
  const state = forge.statuses.get(commit)
  return state !== undefined && state !== 'pending'
}
