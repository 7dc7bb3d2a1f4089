import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import type { PutPullRequestRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { toConnectError } from '@wadi/rpc/error-mapping.ts'
import { readOperatorSettings } from '../operator-settings.ts'
import {
  application,
  ownInstallation,
  repoURL,
  type RunFixture,
  startRunFixture,
} from '../run/run-fixture.ts'
import type { BranchRecords } from '../run/report/branch-records.ts'
import { keepPullRequest } from './keep-pull-request.ts'

/** The branch that the Application of the tests is hydrated to before it is promoted. */
export const hydrateTo = { targetBranch: 'env/next' }
/** The key of that branch. */
export const key = branchKey(repoURL, 'env/next')
const { signal } = new AbortController()

/** The heads of the branches, and the answers of the forge. */
interface Remote {
  headSha: string
  baseSha: string
  isContained: boolean
  /** The installation that the branch's notes name. */
  installation: string
  /** The error that the forge returns next instead of an answer. */
  failure: Error | undefined
  isOpen: boolean
  /** The reason for which the forge does not merge; empty if it does. */
  waitingFor: string
  /** True for a forge that keeps closed pull requests closed. */
  keepsClosed: boolean
  isMerged: boolean
  /** Done once while the branches are compared, or before the forge changes a pull request; undefined for nothing. */
  meanwhile: { readonly during: 'compare' | 'put'; readonly work: () => Promise<unknown> } | undefined
  asked: string[]
  put: PutPullRequestRequest[]
}

/** A branch whose pull request is kept. */
export interface Kept extends AsyncDisposable {
  fixture: RunFixture
  remote: Remote
  keep(): Promise<number | undefined>
  record(): Promise<PullRequestRecord | undefined>
}

/**
 * A hydrated branch with a record, and a forge in whose place a test answers.
 * @param records default: in the store of the Application
 */
export async function startPullRequest(
  annotations: Record<string, string> = {},
  records?: BranchRecords,
): Promise<Kept> {
  const place = {
    headSha: 'a'.repeat(40),
    baseSha: 'b'.repeat(40),
    isContained: false,
    installation: ownInstallation,
  }
  const remote: Remote = {
    ...place,
    failure: undefined,
    isOpen: false,
    waitingFor: 'checks have not passed',
    keepsClosed: false,
    isMerged: false,
    meanwhile: undefined,
    asked: [],
    put: [],
  }
  const answer = (method: string) => {
    remote.asked.push(method)
    const { failure } = remote
    remote.failure = undefined
    if (failure) throw toConnectError(failure)
    return { number: '7', url: 'https://forge.example.com/7', state: 'open' }
  }
  const happen = async (during: 'compare' | 'put') => {
    const { meanwhile } = remote
    if (meanwhile?.during !== during) return
    remote.meanwhile = undefined
    await meanwhile.work()
  }
  const fixture = await startRunFixture({
    commitServer: {
      compareBranches: async () => {
        await happen('compare')
        return { ...remote, changedPaths: [] }
      },
    },
    forges: {
      putPullRequest: async (request) => {
        await happen('put')
        const pullRequest = answer('put')
        remote.put.push(request)
        if (request.title === '' && !remote.isOpen) return {}
        const outcome = remote.isOpen ? 'unchanged' : 'opened'
        remote.isOpen = true
        const { waitingFor } = remote
        if (!request.merge) return { pullRequest, outcome }
        if (waitingFor !== '') return { pullRequest, outcome, waitingFor }
        Object.assign(remote, { isOpen: false, isMerged: true })
        return { pullRequest, outcome: 'merged' }
      },
      closePullRequest: () => {
        const pullRequest = answer('close')
        const wasOpen = remote.isOpen
        remote.isOpen = false
        return wasOpen ? { pullRequest } : {}
      },
      reopenPullRequest: () => {
        const pullRequest = answer('reopen')
        if (remote.keepsClosed) return {}
        remote.isOpen = true
        return { pullRequest }
      },
      listPullRequests: () => {
        const state = remote.isMerged ? 'merged' : remote.isOpen ? 'open' : 'closed'
        return { pullRequests: [{ ...answer('list'), state }] }
      },
    },
  })
  if (records) fixture.context.records = records
  await fixture.add(application('web', { hydrateTo, annotations }))
  const { run } = await fixture.run({ branch: 'env/next' })
  const status = { groups: [], applications: 1, rendered: 0, milliseconds: 0 }
  await fixture.context.records.write(run, status)
  return {
    fixture,
    remote,
    keep: async () =>
      keepPullRequest(fixture.context, key, await readOperatorSettings(fixture.store, false), signal),
    record: async () => (await fixture.context.records.read(key))?.pullRequest,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}
