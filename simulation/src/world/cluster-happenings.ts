import type { ClusterServer } from '../models/cluster/cluster-server.ts'
import type { Random } from '../virtual/random.ts'
import type { Scheduler } from '../virtual/scheduler.ts'

/** An event that comes to the API server of a world; nothing where a file keeps the objects. */
export type ClusterHappening =
  /** It forgets the history: who follows from before has to list again. */
  | { readonly kind: 'compaction' }
  /** All watches end, as their time is over. */
  | { readonly kind: 'ended watches' }
  /** Requests are rejected unread with a probability, as there are too many. */
  | { readonly kind: 'busy API server'; readonly rate: number; readonly milliseconds: number }
  /** Requests time out with a probability, done or not. */
  | { readonly kind: 'late API server'; readonly rate: number; readonly milliseconds: number }

/** Returns what can happen to the API server. */
export function plannedForCluster(
  random: Random,
): readonly [() => ClusterHappening, ...(() => ClusterHappening)[]] {
  const [rate, milliseconds] = [random.of([0.2, 0.7, 1]), random.of([500, 5_000, 40_000])]
  return [
    () => ({ kind: 'compaction' }),
    () => ({ kind: 'ended watches' }),
    () => ({ kind: 'busy API server', rate, milliseconds }),
    () => ({ kind: 'late API server', rate, milliseconds }),
  ]
}

/** Lets something happen to the API server. */
export function happenToCluster(
  cluster: ClusterServer,
  scheduler: Scheduler,
  random: Random,
  happening: ClusterHappening,
): void {
  if (happening.kind === 'compaction') return cluster.compact()
  if (happening.kind === 'ended watches') return cluster.endWatches()
  const { kind, rate, milliseconds } = happening
  const until = scheduler.now + milliseconds
  cluster.trouble = () => {
    if (scheduler.now >= until || !random.chance(rate)) return undefined
    return kind === 'busy API server' ? 'busy' : random.of(['late', 'undone'])
  }
}
