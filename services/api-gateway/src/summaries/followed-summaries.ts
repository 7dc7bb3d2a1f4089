import type { ApplicationFilter } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import type { Call } from '../authorization/authorization.ts'
import type { GatewayContext } from '../context.ts'
import type { Summary } from './application-summary.ts'
import { maxPage, phaseCounts } from './page.ts'
import { summaryFilter, type SummaryFilter, visibleTo } from './summary-filter.ts'
import type { IndexedApplication } from './summary-index.ts'

/** The changes of the summaries that one watch follows. */
interface FollowedChanges {
  changed: Summary[]
  removed: { namespace: string; name: string }[]
  total: number
  phases: Record<string, number>
  searchAgain: boolean
}

/** The Applications that the filter of one watch selects for its caller, and what changed since they were asked for. */
export class FollowedSummaries implements Disposable {
  readonly #context: Pick<GatewayContext, 'summaries' | 'policy'>
  readonly #filter: SummaryFilter
  readonly #subscription: Disposable
  /** Those that match the filter but for their phase, as they were last delivered. */
  readonly #known = new Map<string, Summary>()
  readonly #changed = new Set<string>()
  #enforcer: GatewayContext['policy']['enforcer']

  /** @throws InvalidInputError for a filter that cannot be used */
  constructor(
    context: Pick<GatewayContext, 'summaries' | 'policy' | 'authorization'>,
    filter: ApplicationFilter | undefined,
    call: Call,
  ) {
    this.#context = context
    this.#filter = summaryFilter(filter, visibleTo(context.authorization, call))
    this.#enforcer = context.policy.enforcer
    for (const application of context.summaries.sorted) {
      if (this.#filter.matches(application)) this.#known.set(application.key, application.summary)
    }
    this.#subscription = context.summaries.subscribe((key) => this.#changed.add(key))
  }

  /** The counts of now, without any change. */
  counts(): FollowedChanges {
    return this.#message([], [])
  }

  /** Returns what changed since the last call, also by a changed policy; undefined when nothing did. */
  next(): FollowedChanges | undefined {
    const { summaries, policy } = this.#context
    const keys = new Set(this.#changed)
    this.#changed.clear()
    if (policy.enforcer !== this.#enforcer) {
      this.#enforcer = policy.enforcer
      for (const key of [...this.#known.keys(), ...summaries.sorted.map((one) => one.key)]) keys.add(key)
    }
    const changed: Summary[] = []
    const removed: Summary[] = []
    let isCounted = false
    for (const key of keys) {
      const before = this.#known.get(key)
      const after = this.#update(key, summaries.get(key))
      if (before === after) continue
      isCounted = true
      if (after && this.#filter.hasPhase(after.phase)) changed.push(after)
      else if (before && this.#filter.hasPhase(before.phase)) removed.push(before)
    }
    return isCounted ? this.#message(changed, removed) : undefined
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]()
  }

  #update(key: string, application: IndexedApplication | undefined): Summary | undefined {
    if (application && this.#filter.matches(application)) {
      this.#known.set(key, application.summary)
      return application.summary
    }
    this.#known.delete(key)
    return undefined
  }

  #message(changed: Summary[], removed: Summary[]): FollowedChanges {
    const phases = Array.from(this.#known.values(), ({ phase }) => phase)
    const searchAgain = changed.length > maxPage || removed.length > maxPage
    return {
      changed: searchAgain ? [] : changed,
      removed: searchAgain ? [] : removed.map(({ namespace, name }) => ({ namespace, name })),
      total: phases.filter((phase) => this.#filter.hasPhase(phase)).length,
      phases: phaseCounts(phases),
      searchAgain,
    }
  }
}
