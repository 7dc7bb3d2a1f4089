import type { Manifest } from '@wadi/manifests/manifest.ts'
import { type AppliedWaivers, applyWaivers, type WaivedFindings } from './apply-waivers.ts'
import { checkObjects } from './check-objects.ts'
import { type Finding, noObject, type UnplacedFinding } from './finding.ts'
import type { GateSeverities } from './gate-names.ts'
import type { GateContext } from './gate.ts'
import { type ObjectWaiver, readObjectWaivers } from './object-waivers.ts'
import { waiverWarnings } from './waiver-warnings.ts'

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
  /** Warnings about waivers of `wadi.yaml` that have expired or name an unknown rule. */
  readonly warnings: readonly Finding[]
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
  const { findings, covered } = applyWaivers(found, applied, objectWaivers)
  const { acceptsAnnotations, today } = applied
  const given = { severities, context, today }
  const ofFile = await waiverWarnings(applied.waivers, given)
  const warnings = ofFile.map(({ waiver: { at }, ...warning }) => ({ ...warning, object: noObject, at }))
  if (!acceptsAnnotations) return { findings, covered, warnings, objectWaivers }
  const ofObjects = await waiverWarnings(objectWaivers, given)
  const wrong = ofObjects.map(({ waiver: { object, position, written }, ...warning }) => ({
    ...warning,
    object,
    written,
    ...(position !== undefined && { position }),
  }))
  const days = objectWaivers.map(({ expires }) => expires).filter((day) => day >= today)
  const [lastDay] = days.toSorted()
  return {
    findings: [...findings, ...invalid, ...wrong],
    covered,
    warnings,
    objectWaivers,
    ...(lastDay !== undefined && { lastDay }),
  }
}
