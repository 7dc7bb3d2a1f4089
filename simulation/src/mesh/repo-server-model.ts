import type { ServiceImpl } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { GitServer } from '../models/git/git-server.ts'
import type { RenderFate } from '../world/weather.ts'

/** The file of a dry source that is all that its manifests depend on. */
export const valueFile = 'value'
/** A value that cannot be rendered. */
export const brokenValue = 'broken'

/** The renderers that the model claims to have. */
const renderers = 'model v1'

/** The only manifest of a dry source with a value. */
export function manifestOf(value: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    data: { value },
    kind: 'ConfigMap',
    metadata: { name: 'values' },
  })
}

/** Asks the git server. */
export type AskGit = <Answer>(label: string, ask: (git: GitServer) => Answer) => Promise<Answer>

/**
 * A repo-server as the mesh knows it: it reads refs when it is asked, and what it inspects and renders depends on the dry commit alone.
 * @param renderFate decides what becomes of the render of a directory
 */
export function repoServerModel(
  { objects }: GitServer,
  askGit: AskGit,
  renderFate: () => RenderFate,
): Partial<ServiceImpl<typeof RepoServerService>> {
  const valueAt = (sha: string, path: string): string | undefined =>
    objects.textOf(sha, path === '' ? valueFile : `${path}/${valueFile}`)
  return {
    resolveRevisions: async ({ repoUrl, revisions, branches }) => {
      if (repoUrl === '') return { renderers }
      const refs = await askGit('list refs', (git) => new Map(git.refs))
      return {
        renderers,
        revisions: revisions.map((revision) => {
          const ref = `refs/heads/${revision}`
          const sha = refs.get(ref)
          return sha === undefined
            ? { revision, error: `revision ${revision} does not exist` }
            : { revision, sha, ref }
        }),
        heads: branches.map((branch) => ({ branch, sha: refs.get(`refs/heads/${branch}`) ?? '' })),
      }
    },
    getCommit: async ({ sha }) => {
      if (!objects.isCommit(sha)) throw new NotFoundError(`commit ${sha} does not exist`)
      const { author, message, parents } = objects.commit(sha)
      const [, person = '', seconds = '0'] = /^(.*>) (\d+)/.exec(author) ?? []
      const date = new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')
      return {
        commit: {
          sha,
          author: person,
          date,
          committerDate: date,
          subject: message.trim(),
          parents: [...parents],
        },
      }
    },
    listCommits: async ({ after, to }) => {
      const shas = [...objects.firstParents(to)].toReversed()
      return { shas: shas.includes(after) ? shas.slice(shas.indexOf(after) + 1) : [to] }
    },
    inspectSources: async ({ sha, sources }) => ({
      inspections: sources.map(({ path }) => {
        const value = valueAt(sha, path)
        if (value === undefined) return { error: `there is no directory ${path}` }
        return { fingerprint: `value ${value}` }
      }),
    }),
    ...editing(valueAt),
    ...rendering(valueAt, renderFate),
  }
}

/** The RPC that renders dry sources. */
function rendering(
  valueAt: (sha: string, path: string) => string | undefined,
  renderFate: () => RenderFate,
): Pick<ServiceImpl<typeof RepoServerService>, 'renderSources'> {
  return {
    renderSources: async function* ({ sha, sources }) {
      for (const [index, { path }] of sources.entries()) {
        const value = valueAt(sha, path)
        const fate = renderFate()
        if (fate === 'left out') continue
        if (fate === 'failing') yield { index, done: true, error: `${path} takes too long`, retryable: true }
        else if (value === undefined || value === brokenValue)
          yield { index, done: true, error: `${path} is broken` }
        else yield { index, done: true, manifests: [manifestOf(value)] }
      }
    },
  }
}

/** The RPCs by which people change the values of dry sources. */
function editing(
  valueAt: (sha: string, path: string) => string | undefined,
): Pick<ServiceImpl<typeof RepoServerService>, 'editParameters' | 'readRestoredFiles'> {
  return {
    editParameters: async ({ sha, source, changes }) => {
      const path = source?.path ?? ''
      const after = changes?.assignments.at(-1)?.value ?? ''
      return { file: { path: `${path}/${valueFile}`, before: valueAt(sha, path) ?? '', after } }
    },
    readRestoredFiles: async ({ sha, restoredSha, directory }) => {
      const [before, after] = [valueAt(sha, directory) ?? '', valueAt(restoredSha, directory) ?? '']
      return { files: before === after ? [] : [{ path: `${directory}/${valueFile}`, before, after }] }
    },
  }
}
