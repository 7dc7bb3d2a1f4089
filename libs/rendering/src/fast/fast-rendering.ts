import type { FastGuard } from './fast-guard.ts'

/** What renderers need to render within this process instead of with their tool. */
export interface FastRendering {
  readonly guard: FastGuard
  /** Whether every render is to be compared with the tool. */
  readonly isStrict: boolean
}
