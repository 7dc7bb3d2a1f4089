import type { FastGuard } from '@wadi/engines/guard/fast-guard.ts'

/** The dependencies of renderers that render within this process instead of with their tool. */
export interface FastRendering {
  readonly guard: FastGuard
  /** True if every render must be compared with the tool. */
  readonly isStrict: boolean
}
