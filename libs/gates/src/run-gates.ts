import type { Manifest } from '@wadi/manifests/manifest.ts'
import { type AppliedWaivers, applyWaivers, type WaivedFindings } from './apply-waivers.ts'
import { checkObjects } from './check-objects.ts'
import type { UnplacedFinding } from './finding.ts'
import type { GateSeverities } from './gate-names.ts'
import type { GateContext } from './gate.ts'
import { expiredObjectWaivers, type ObjectWaiver, readObjectWaivers } from './object-waivers.ts'

/** The settings of one check: data that can go to a thread. */
export interface GateCheck extends AppliedWaivers {
  readonly severities: GateSeverities
  readonly context: GateContext
  /** JSON of definitions before those of the context, which take precedence. */
  readonly definitionTexts?: readonly string[]
  /** Names the definitions of both: equal names have equal definitions, which a thread reads once. */
  readonly definitionsId?: string
}

/** The outcome of gates. */
export interface GateResults extends WaivedFindings<UnplacedFinding> {
  /** The waivers in annotations of the objects, expired ones too. */
  readonly objectWaivers: readonly ObjectWaiver[]
  /** The last day on which those that apply are as they are today; absent if none does. */
  readonly lastDay?: string
}

/** Runs the gates on objects, and sets apart what is waived. */
export async function runGates(
  manifests: readonly Manifest[],
  { severities, context, ...applied }: GateCheck,
): Promise<GateResults> {
  const { waivers: objectWaivers, invalid } = readObjectWaivers(manifests)
  const found = await checkObjects(manifests, severities, context)
  const { findings, covered, expired } = applyWaivers(found, applied, objectWaivers)
  const { acceptsAnnotations, today } = applied
  if (!acceptsAnnotations) return { findings, covered, expired, objectWaivers }
  const wrong = [...invalid, ...expiredObjectWaivers(objectWaivers, today)]
  const days = objectWaivers.map(({ expires }) => expires).filter((day) => day >= today)
  const [lastDay] = days.toSorted()
  return {
    findings: [...findings, ...wrong],
    covered,
    expired,
    objectWaivers,
    ...(lastDay !== undefined && { lastDay }),
  }
}
