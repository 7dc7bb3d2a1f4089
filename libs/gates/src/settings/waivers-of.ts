import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import type { GateSettings } from './gate-settings.ts'
import type { Waiver } from './read-waiver.ts'

/** The waivers that an Application may have. */
export interface ApplicationWaivers {
  /** Those of `wadi.yaml`, expired ones too. */
  readonly waivers: readonly Waiver[]
  /** True if those in annotations of its objects apply. */
  readonly acceptsAnnotations: boolean
}

/**
 * Returns the waivers of an Application.
 * @param application its name; empty if it is not known, which only waivers for all match
 */
export function waiversOf(
  { waivers, waiverAnnotations }: Pick<GateSettings, 'waivers' | 'waiverAnnotations'>,
  application: string,
): ApplicationWaivers {
  return {
    waivers: waivers.filter((waiver) => globMatcher(waiver.application)(application)),
    acceptsAnnotations: waiverAnnotations.some((pattern) => compileArgoGlob(pattern)(application)),
  }
}

/** Returns the matcher of a glob; without one everything matches. */
export function globMatcher(pattern: string | undefined): Matcher {
  return pattern === undefined ? () => true : compileArgoGlob(pattern)
}
