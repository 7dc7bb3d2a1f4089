import type { Located } from '@wadi/params/values/value.ts'
import type { StampBudget } from '@wadi/supply-chains/stamp/stamp-budget.ts'
import type { CompositeSource } from '../composite/composite-source.ts'
import type { RealisedOwner } from './parameters/workload-params.ts'

/** A source of workloads, with the parameters that each was realised with. */
export interface WorkloadSource extends CompositeSource {
  readonly owners: readonly RealisedOwner[]
}

/** The plans of workload directories that lead to one another through `Render`. */
export interface WorkloadNesting {
  /** The directories that led here. */
  readonly chain: readonly string[]
  readonly shared: SharedPlanning
}

/** The state shared by the directories of workloads that one source leads to. */
export interface SharedPlanning {
  readonly budget: StampBudget
  /** Characters that the record of what decided parameters takes. */
  explained: number
  /** Operators' documents by `platform` directory. */
  readonly operators: Map<string, readonly Located[]>
  /** Directories that are planned. */
  readonly plans: Map<string, WorkloadSource>
}
