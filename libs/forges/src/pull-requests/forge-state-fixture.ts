import { readRef } from '@wadi/testing/read-ref.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'

/** A pull request as a stand-in of a forge has it. */
export interface StandInPull {
  number: number
  title: string
  body: string
  head: string
  /** Of a pull request from another repository, with that repository's path. */
  fork?: { repository: string; sha: string }
  base: string
  state: 'open' | 'closed'
  isMerged: boolean
  isDraft: boolean
  author: string
  labels: string[]
  requestedReviewers: string[]
  /** Accounts that gave a review. */
  reviews: string[]
}

/** The status of a commit, in the words of the forge that got it. */
export interface StandInStatus {
  sha: string
  context: string
  state: string
  description: string
  target_url: string
}

/** The branches of the repository of a stand-in. */
export interface StandInGit {
  /** The commit of a branch; empty when there is none. */
  head: (branch: string) => Promise<string>
  /** Merges a commit into a branch, with a merge commit. */
  merge: (base: string, head: string, message: string) => Promise<void>
}

/** The state of one repository in a stand-in of a forge. */
export interface StandInState {
  owner: string
  name: string
  /** The real bare repository; empty where `git` is something else. */
  directory: string
  git: StandInGit
  isPrivate: boolean
  /** Names of branches with rules about who may push. */
  protectedBranches: string[]
  pulls: StandInPull[]
  comments: { id: number; pull: number; body: string; author: string }[]
  statuses: StandInStatus[]
  /** Names of labels of the repository; GitHub makes them when they are used. */
  labels: string[]
  checkRuns: { id: number; sha: string; body: Record<string, unknown> }[]
  /** The reason why pull requests cannot be merged, in the forge's word; undefined for none. */
  blockedBy: string | undefined
  /** Statuses of pull requests, which only Azure DevOps has beside those of commits; by the number of the push. */
  pullStatuses: (StandInStatus & { pull: number; iteration: number })[]
  /** Evaluations of policies, which only Azure DevOps has. */
  policies: unknown[]
  /** True if a pull request is completed some time after the answer. */
  completesLater: boolean
  /** The account of the token. */
  account: string
}

/** A repository without pull requests. */
export function standInState(directory: string, parts: Partial<StandInState> = {}): StandInState {
  return {
    owner: 'acme',
    name: 'shop',
    directory,
    git: gitIn(directory),
    isPrivate: true,
    protectedBranches: [],
    pulls: [],
    comments: [],
    statuses: [],
    labels: [],
    checkRuns: [],
    blockedBy: undefined,
    pullStatuses: [],
    policies: [],
    completesLater: false,
    account: 'wadi-bot',
    ...parts,
  }
}

/** Opens a pull request of the account of the token. */
export function newPull(
  state: StandInState,
  parts: Pick<StandInPull, 'title' | 'body' | 'head' | 'base'>,
): StandInPull {
  const pull: StandInPull = {
    ...parts,
    number: state.pulls.length + 1,
    state: 'open',
    isMerged: false,
    isDraft: false,
    author: state.account,
    labels: [],
    requestedReviewers: [],
    reviews: [],
  }
  state.pulls.push(pull)
  return pull
}

/** The head of a pull request; empty when its branch is gone. */
export async function headOf({ git }: StandInState, pull: StandInPull): Promise<string> {
  return pull.fork?.sha ?? (await git.head(pull.head))
}

/** A branch in the words that GitHub, Gitea and GitLab share. */
export async function branchAnswer(
  { git, protectedBranches }: StandInState,
  name: string,
): Promise<StandInAnswer> {
  if ((await git.head(name)) === '') return notFound
  return { status: 200, body: { name, protected: protectedBranches.includes(name) } }
}

/** Merges a pull request, as the forge does. */
export async function mergeInGit(state: StandInState, pull: StandInPull): Promise<void> {
  await state.git.merge(pull.base, await headOf(state, pull), `Merge pull request #${pull.number}`)
  Object.assign(pull, { state: 'closed', isMerged: true })
}

/** The branches of a real bare repository. */
function gitIn(directory: string): StandInGit {
  const head = async (branch: string) => (await readRef(directory, `refs/heads/${branch}`)) ?? ''
  return {
    head,
    merge: async (branch, merged, message) => {
      const base = await head(branch)
      const tree = (await runTestGit(directory, ['merge-tree', '--write-tree', base, merged])).split('\n')[0]
      const identity = ['-c', 'user.name=forge', '-c', 'user.email=forge@example.com']
      const parents = ['-p', base, '-p', merged]
      const args = [...identity, 'commit-tree', tree ?? '', ...parents, '-m', message]
      const commit = (await runTestGit(directory, args)).trim()
      await runTestGit(directory, ['update-ref', `refs/heads/${branch}`, commit, base])
    },
  }
}

/** A route's answer. */
export interface StandInAnswer {
  status: number
  /** JSON; undefined for none. */
  body?: unknown
  headers?: Record<string, string>
}

/** A request that fits the description. */
export interface StandInRequest {
  method: string
  /** Below the repository, decoded, for example `['pulls', '7']`. */
  path: readonly string[]
  query: URLSearchParams
  body: Record<string, unknown>
}

/** The answer for what is not there. */
export const notFound: StandInAnswer = { status: 404, body: { message: 'Not Found' } }
