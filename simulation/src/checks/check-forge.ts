import type { StandInPull } from '@wadi/forges/pull-requests/forge-state-fixture.ts'
import { type PullRequestRecord, readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ForgeServer } from '../models/forge/forge-server.ts'
import type { PlannedApplication } from '../world/plan.ts'
import type { Ledger } from './ledger.ts'

/** The pull requests of a world: what Wadi may do to them, and how they must be in the end. */
export class ForgeCheck {
  readonly #ledger: Ledger
  readonly #forge: ForgeServer
  /** The heads of both branches when somebody closed the pull request between them, and if Wadi had brought it to these. */
  readonly #closed = new Map<string, { readonly heads: string; readonly wasSettled: boolean }>()
  /** The attempt that the record of a branch names. */
  readonly #attempts = new Map<string, string | undefined>()
  /** Branches with attempts that another one followed before they ended, once for each: these may still be under way. */
  readonly #overtaken: string[] = []

  constructor(ledger: Ledger, forge: ForgeServer) {
    this.#ledger = ledger
    this.#forge = forge
  }

  /**
   * Closes a pull request as people do, who want it closed as long as both branches stay as they are. Wadi may open another one if it was about
   * to bring this one to the branches.
   */
  closedBySomebody(pull: StandInPull, record: Resource | undefined): void {
    pull.state = 'closed'
    const heads = this.#headsOf(pull)
    const { headSha, baseSha, isSettled = false } = pullRequestOf(record) ?? {}
    this.#closed.set(pull.head, { heads, wasSettled: isSettled && heads === `${headSha} ${baseSha}` })
  }

  /** Takes over the record of a branch. */
  recorded(record: Resource): void {
    const { branch } = readHydratedBranch(record)
    const before = this.#attempts.get(branch)
    const { attempt } = pullRequestOf(record) ?? {}
    if (before !== undefined && attempt !== undefined && attempt !== before) this.#overtaken.push(branch)
    this.#attempts.set(branch, attempt)
  }

  /** Returns what is wrong about a write of Wadi that the forge carried out, as sentences. */
  afterWrite(asked: string): string[] {
    const newest = this.#forge.state.pulls.at(-1)
    if (/^POST .*\/pulls$/.test(asked) && newest) return this.#checkOpened(newest)
    const [, number] = /^POST .*\/pulls\/(\d+)\/merge$/.exec(asked) ?? []
    const merged = this.#forge.state.pulls.find((pull) => String(pull.number) === number)
    if (merged && this.#promotionOf(merged.head)?.policy !== 'merge')
      return [`pull request ${number} of ${merged.head} is merged, which people do`]
    return []
  }

  /** Returns what is not yet as it must be about the promotion of a branch, as sentences. */
  missing(branch: string, record: Resource | undefined): string[] {
    const promotion = this.#promotionOf(branch)
    if (!promotion) return []
    const { objects, refs } = this.#ledger.git
    const [head = '', base = ''] = [`refs/heads/${branch}`, `refs/heads/${promotion.base}`].map((ref) =>
      refs.get(ref),
    )
    const isContained = objects.isAncestor(head, base)
    const open = this.#forge.open.filter((pull) => pull.head === branch && pull.base === promotion.base)
    const found = open.length > 1 ? [`${branch} has ${open.length} open pull requests`] : []
    const isClosed = this.#closed.get(branch)?.heads === `${head} ${base}`
    if (!isContained && promotion.policy === 'merge' && !isClosed)
      found.push(`${branch} is not merged into ${promotion.base}`)
    if (!isContained && !isClosed && open.length === 0) found.push(`${branch} has no open pull request`)
    const recorded = pullRequestOf(record)
    const isOpen = recorded?.state === 'open'
    if (!recorded || isOpen !== open.length > 0)
      found.push(`the record of ${branch} says its pull request is ${recorded?.state} (${recorded?.message})`)
    return found
  }

  #checkOpened(pull: StandInPull): string[] {
    const closed = this.#closed.get(pull.head)
    const mayOpen = this.#ledger.mayRepeat.has(pull.head) || !closed?.wasSettled
    if (mayOpen || closed.heads !== this.#headsOf(pull)) return []
    const overtaken = this.#overtaken.indexOf(pull.head)
    if (overtaken >= 0) {
      this.#overtaken.splice(overtaken, 1)
      return []
    }
    return [`pull request ${pull.number} of ${pull.head} is opened, as somebody closed the former one`]
  }

  #headsOf({ head, base }: StandInPull): string {
    const { refs } = this.#ledger.git
    return `${refs.get(`refs/heads/${head}`)} ${refs.get(`refs/heads/${base}`)}`
  }

  #promotionOf(branch: string): PlannedApplication['promotion'] {
    return this.#ledger.applications.find((application) => application.branch === branch)?.promotion
  }
}

function pullRequestOf(record: Resource | undefined): PullRequestRecord | undefined {
  return record && readHydratedBranch(record).status.pullRequest
}
