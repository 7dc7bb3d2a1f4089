import type { ClusterHappening } from './cluster-happenings.ts'
import type { ForgeHappening } from './forge-happenings.ts'

/** An event that comes to a world from outside. */
export type Happening =
  /** A dry commit that changes some Applications, none for one that only needs notes; a webhook may announce it. */
  | {
      readonly kind: 'dry commit'
      readonly changes: readonly string[]
      /** True if it gives what it changes the value of the last dry commit but one. */
      readonly isRevert?: boolean
      readonly isAnnounced: boolean
      readonly isBroken: boolean
    }
  /** A process is killed after some of its steps, and another one takes its place. */
  | { readonly kind: 'crash'; readonly process: string; readonly afterSteps: number; readonly downMs: number }
  /** A process does nothing for a while, after some of its steps. */
  | {
      readonly kind: 'freeze'
      readonly process: string
      readonly afterSteps: number
      readonly milliseconds: number
    }
  /** A clock is set. */
  | { readonly kind: 'clock'; readonly process: string; readonly milliseconds: number }
  /** Redis loses everything. */
  | { readonly kind: 'flush' }
  /** Another Redis takes over, to which the writes of the last second did not come. */
  | { readonly kind: 'failover' }
  /** Redis takes the jobs away from the hydrators that run them, after some steps of one of them. */
  | { readonly kind: 'lost locks'; readonly process: string; readonly afterSteps: number }
  /** Each access of a process to its disk takes a while. */
  | { readonly kind: 'slow disk'; readonly process: string; readonly milliseconds: number }
  /** The git server does not know the credentials of Wadi any more. */
  | { readonly kind: 'refused login'; readonly milliseconds: number }
  /** Messages, or the answers to them, are lost with a probability. */
  | { readonly kind: 'losses'; readonly rate: number; readonly milliseconds: number }
  /** Renders of directories fail or are left out with a probability. */
  | { readonly kind: 'spoiled renders'; readonly rate: number; readonly milliseconds: number }
  | {
      readonly kind: 'partition'
      readonly one: string
      readonly other: string
      readonly milliseconds: number
    }
  /** The git server refuses to move a branch. */
  | { readonly kind: 'protect'; readonly branch: string; readonly milliseconds: number }
  /** Somebody commits a file of their own to a hydrated branch. */
  | { readonly kind: 'foreign file'; readonly branch: string; readonly file: string }
  /** Somebody changes a manifest on a hydrated branch. */
  | { readonly kind: 'foreign edit'; readonly branch: string; readonly application: string }
  /** Somebody forces a hydrated branch back to an earlier commit. */
  | { readonly kind: 'rewind'; readonly branch: string }
  | { readonly kind: 'delete branch'; readonly branch: string }
  /** An operator puts a label on an Application. */
  | { readonly kind: 'label'; readonly application: string }
  /** An operator changes the policy for changes of others. */
  | { readonly kind: 'policy'; readonly foreignChanges: 'report' | 'restore' }
  /** A user asks for a hydration that compares everything. */
  | { readonly kind: 'hard'; readonly application: string }
  /** An Application is deleted and made again. */
  | { readonly kind: 'replace application'; readonly application: string }
  | ClusterHappening
  | ForgeHappening
