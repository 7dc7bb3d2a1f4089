import type { Manifest } from '@wadi/manifests/manifest.ts'
import { type AppliedWaivers, applyWaivers, type WaivedFindings } from './apply-waivers.ts'
import { checkObjects } from './check-objects.ts'
import type { UnplacedFinding } from './finding.ts'
import type { GateSeverities } from './gate-names.ts'
import type { GateContext } from './gate.ts'

/** The settings of one check: data that can go to a thread. */
export interface GateCheck extends AppliedWaivers {
  readonly severities: GateSeverities
  readonly context: GateContext
  /** JSON of definitions before those of the context, which take precedence. */
  readonly definitionTexts?: readonly string[]
  /** Names the definitions of both: equal names have equal definitions, which a thread reads once. */
  readonly definitionsId?: string
}

/** Runs the gates on objects, and sets apart what is waived. */
export async function runGates(
  manifests: readonly Manifest[],
  { severities, context, ...waivers }: GateCheck,
): Promise<WaivedFindings<UnplacedFinding>> {
  return applyWaivers(await checkObjects(manifests, severities, context), waivers)
}
