import assert from 'node:assert/strict'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ConnectError } from '@connectrpc/connect'
import type {
  CommitManifests,
  CommitPathDetails,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { FileBesideManifests } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import type { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Peers } from './run-fixture.ts'

/** A commit id of one digit. */
export const sha = (digit: number): string => String(digit).repeat(40)

/** Both services as they answer over RPC, around one dry repository and one hydrated branch. */
export class Neighbours {
  /** Dry commit by revision. */
  dry: Record<string, string> = { main: sha(1) }
  /** Returns the dry commit of a revision, each time that it is asked for. */
  dryCommitOf = (revision: string): string | undefined => this.dry[revision]
  /** Paths of dry sources that cannot be inspected or rendered. */
  readonly broken = { inspect: new Set<string>(), render: new Set<string>() }
  /** The dry commits after the first, the oldest first. */
  history: string[] = []
  /** Dry commits of which no source can be inspected for now. */
  readonly away = new Set<string>()
  /** Paths of dry sources that renders end without. */
  readonly leftOut = new Set<string>()
  /** Errors that the next commits end with. */
  readonly rejections: ConnectError[] = []
  position = { headSha: '', drySha: '', installation: '' }
  /** Commits that landed, each with the paths of its directories. */
  landed: { header: CommitManifests; paths: string[] }[] = []
  rendered = 0
  /** Returns the fingerprint that decides the output of a path at a dry commit. */
  fingerprint = (commit: string, path: string): string => `${commit} ${path}`
  /** Returns the fingerprint that a render finds; empty for that of the inspection. */
  renderedFingerprint = (_path: string): string => ''
  /** Returns how the inspection of a path says that it is rendered. */
  renderedBy = (_path: string): { renderers?: string[]; tools?: string[] } => ({})
  /** Returns the manifest of a path of a dry source. */
  manifest = (path: string): string => JSON.stringify({ path })
  /** The files of each directory besides its manifests, in the messages before the last. */
  files: Pick<FileBesideManifests, 'path' | 'content'>[] = []
  /** The facts that renders report. */
  record: MessageInitShape<typeof RenderRecordSchema> = {}
  /** The directories of the newest commit, by message. */
  details: CommitPathDetails[] = []

  readonly peers: Peers = {
    repoServer: {
      resolveRevisions: ({ revisions }) => ({
        renderers: 'helm v4',
        revisions: revisions.map((revision) => {
          const found = this.dryCommitOf(revision)
          return found ? { revision, sha: found } : { revision, error: `revision ${revision} does not exist` }
        }),
      }),
      listCommits: ({ after, to }) => ({
        shas: this.history.slice(this.history.indexOf(after) + 1, this.history.indexOf(to) + 1),
      }),
      inspectSources: ({ sha: commit, sources }) => ({
        inspections: sources.map(({ path }) => this.#inspection(commit, path)),
      }),
      getCommit: ({ sha: commit }) => ({
        commit: { sha: commit, author: 'A <a@example.com>', subject: 'change', date: '2024-03-27T10:32:04Z' },
      }),
      renderSources: async function* (this: Neighbours, { sources }: { sources: { path: string }[] }) {
        for (const [index, { path }] of sources.entries()) {
          if (this.leftOut.has(path)) continue
          this.rendered++
          const error = this.broken.render.has(path) ? `cannot render ${path}` : ''
          for (const file of this.files) yield { index, files: [file] }
          const manifests = error ? [] : [this.manifest(path)]
          yield {
            index,
            manifests,
            done: true,
            error,
            record: this.record,
            fingerprint: this.renderedFingerprint(path),
          }
        }
      }.bind(this),
    },
    commitServer: {
      getBranch: ({ withPaths }) => ({
        position: this.position,
        paths: withPaths ? this.landed.flatMap(({ paths }) => paths) : [],
      }),
      commitManifests: async (requests) => {
        let header: CommitManifests | undefined
        const paths: string[] = []
        this.details = []
        for await (const { message } of requests) {
          if (message.case === 'commit') header = message.value
          else if (message.case === 'details') {
            this.details.push(message.value)
            if (paths.at(-1) !== message.value.path) paths.push(message.value.path)
          }
        }
        const rejection = this.rejections.shift()
        if (rejection) throw rejection
        assert.ok(header)
        assert.equal(header.base?.headSha, this.position.headSha)
        this.landed.push({ header, paths })
        const { drySha, installation } = header
        this.position = { headSha: sha(9 - this.landed.length), drySha, installation }
        return { hydratedSha: this.position.headSha, changedPaths: paths }
      },
    },
  }

  #inspection(commit: string, path: string) {
    if (this.away.has(commit)) return { error: 'the base is away', retryable: true }
    if (this.broken.inspect.has(path)) return { error: `no ${path}` }
    return { fingerprint: this.fingerprint(commit, path), ...this.renderedBy(path) }
  }
}
