import { type GatewayPlan, planGateway } from './gateway/planned-gateway.ts'
import { liveGateway } from './gateway/gateway-world.ts'
import { plannedBy } from './search/varied-plan.ts'
import { planSets, type SetsPlan } from './sets/planned-sets.ts'
import { liveSets } from './sets/sets-world.ts'
import { planContestedWorld } from './world/contested-world.ts'
import type { Observer, WorldEnd } from './world/live-in-world.ts'
import type { WorldPlan } from './world/plan.ts'
import { planPromotedWorld } from './world/promoted-world.ts'
import { shrinkPlan } from './world/shrink-plan.ts'
import { planSmallWorld } from './world/small-world.ts'
import { liveWorld } from './world/world.ts'

/** A world before it begins. */
export interface PlannedWorld {
  readonly plan: WorldPlan | SetsPlan | GatewayPlan
  live(observe?: Observer): Promise<WorldEnd>
  /** Returns the world without what its failure does not need; absent where that is not known. */
  readonly shrunk?: () => Promise<PlannedWorld>
}

type PlanOfSeed = (seed: string) => PlannedWorld

/** The kinds of worlds beside those of hydrators, each by the flag that chooses it. */
const kinds = {
  small: (seed) => worldOfHydrators(planSmallWorld(Number(seed))),
  contested: (seed) => worldOfHydrators(planContestedWorld(Number(seed))),
  promoted: (seed) => worldOfHydrators(planPromotedWorld(Number(seed))),
  sets: (seed) => {
    const plan = planSets(Number(seed))
    return { plan, live: (observe) => liveSets(plan, observe) }
  },
  gateway: (seed) => {
    const plan = planGateway(Number(seed))
    return { plan, live: (observe) => liveGateway(plan, observe) }
  },
} satisfies Record<string, PlanOfSeed>

/** A kind of worlds; `hydrators` for those of hydrators and commit-servers, whose seeds may have variations. */
export type WorldKind = keyof typeof kinds | 'hydrators'

/** Returns the kind of worlds that flags choose. */
export function kindOf(flags: Readonly<Record<keyof typeof kinds, boolean>>): WorldKind {
  const found = Object.entries(flags).find(([name, isChosen]) => isChosen && Object.hasOwn(kinds, name))
  return (found?.[0] ?? 'hydrators') as WorldKind
}

/** Returns the world of a kind that a seed stands for. */
export function worldOf(seed: string, kind: WorldKind): PlannedWorld {
  return kind === 'hydrators' ? worldOfHydrators(plannedBy(seed)) : kinds[kind](seed)
}

function worldOfHydrators(plan: WorldPlan): PlannedWorld {
  return {
    plan,
    live: (observe) => liveWorld(plan, observe),
    shrunk: async () => worldOfHydrators(await shrinkPlan(plan)),
  }
}
