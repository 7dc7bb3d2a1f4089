import type { Finding } from './finding.ts'

/** The outcome of a check of the objects of a source. */
export interface CheckedObjects {
  /** The findings that are kept: denied ones first, then warnings. */
  readonly findings: readonly Finding[]
  /** The number of denied findings, also of those that are not kept. */
  readonly denied: number
  /** The number of findings that are not kept. */
  readonly leftOut: number
}
