import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import type { Waiver } from './gate-settings.ts'

/**
 * Returns the waivers of an Application.
 * @param application its name; empty if it is not known, which only waivers for all match
 */
export function waiversOf(waivers: readonly Waiver[], application: string): readonly Waiver[] {
  return waivers.filter((waiver) => globMatcher(waiver.application)(application))
}

/** Returns the matcher of a glob; without one everything matches. */
export function globMatcher(pattern: string | undefined): Matcher {
  return pattern === undefined ? () => true : compileArgoGlob(pattern)
}
