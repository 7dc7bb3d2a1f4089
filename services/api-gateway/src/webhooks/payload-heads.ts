import { isJsonObject } from '@wadi/fields/json-object.ts'
import { branchNameError, isCommitSha } from '@wadi/git/mirror/revision.ts'
import { at } from './payload-value.ts'

/** A branch and the commit that a push brought it to. */
export interface PushedHead {
  /** Without `refs/heads/`. */
  branch: string
  sha: string
}

/** Finds the branches of a push that are there after it; none for other events. */
export type FindHeads = (payload: unknown) => PushedHead[]

/** The maximum number of heads in one payload. */
const maxHeads = 16

/** One ref with its new commit: GitHub, GitLab, Gitea, Forgejo, Gogs. */
export const refAndAfter: FindHeads = (payload) => headsOf([[at(payload, 'ref'), at(payload, 'after')]])

/** Bitbucket Cloud: changes, each with the new state of a branch. */
export const bitbucketCloudHeads: FindHeads = (payload) =>
  headsOf(
    listAt(payload, 'push', 'changes')
      .filter((change) => at(change, 'new', 'type') === 'branch')
      .map((change) => [
        `refs/heads/${String(at(change, 'new', 'name'))}`,
        at(change, 'new', 'target', 'hash'),
      ]),
  )

/** Bitbucket Server and Data Center: changes, each of a ref. */
export const bitbucketServerHeads: FindHeads = (payload) =>
  headsOf(listAt(payload, 'changes').map((change) => [at(change, 'ref', 'id'), at(change, 'toHash')]))

/** Azure DevOps: updates of refs. */
export const azureDevOpsHeads: FindHeads = (payload) =>
  headsOf(
    listAt(payload, 'resource', 'refUpdates').map((update) => [
      at(update, 'name'),
      at(update, 'newObjectId'),
    ]),
  )

function listAt(payload: unknown, ...names: string[]): Record<string, unknown>[] {
  const list = at(payload, ...names)
  return (Array.isArray(list) ? list : []).filter(isJsonObject)
}

/** Reads full ref names and commits; tags, removed branches and what is neither are left out. */
function headsOf(updates: readonly (readonly [ref: unknown, sha: unknown])[]): PushedHead[] {
  const heads = updates.flatMap(([ref, sha]) => {
    const branch = typeof ref === 'string' ? /^refs\/heads\/(.+)$/s.exec(ref)?.[1] : undefined
    if (branch === undefined || branchNameError(branch) !== undefined) return []
    return typeof sha === 'string' && isCommitSha(sha) && !/^0+$/.test(sha) ? [{ branch, sha }] : []
  })
  return heads.slice(0, maxHeads)
}
