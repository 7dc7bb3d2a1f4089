import { nearestName } from '@wadi/errors/nearest-name.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { WaiverTerms } from './settings/read-waiver.ts'
import { type AppliedWaivers, applyWaivers, type WaivedFindings } from './apply-waivers.ts'
import { checkObjects, rulesOf } from './check-objects.ts'
import { type Finding, noObject, type UnplacedFinding } from './finding.ts'
import { type GateName, gateNames, type GateSeverities, repositoryGateNames } from './gate-names.ts'
import type { GateContext } from './gate.ts'
import { type ObjectWaiver, readObjectWaivers } from './object-waivers.ts'

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

const maxRules = 10

/** A warning about a waiver. */
interface WaiverWarning<Waiver> extends Pick<Finding, 'rule' | 'severity' | 'field' | 'message'> {
  readonly waiver: Waiver
}

/**
 * Returns a warning for each waiver that has expired, and for each whose gate runs and has no such rule. The operator may ask for other
 * policies and programs elsewhere: of their names only those are mistakes that are nearly a known one.
 */
async function waiverWarnings<Waiver extends WaiverTerms>(
  waivers: readonly Waiver[],
  { severities, context, today }: Pick<GateCheck, 'severities' | 'context' | 'today'>,
): Promise<WaiverWarning<Waiver>[]> {
  const rules = new Map<GateName, Promise<readonly string[]>>()
  const warnings: WaiverWarning<Waiver>[] = []
  for (const waiver of waivers) {
    const { owner, rule, expires, path } = waiver
    const warn = (kind: string, message: string) =>
      warnings.push({
        waiver,
        rule: `waivers/${kind}`,
        severity: 'warn',
        field: path,
        message: `the waiver of ${owner} for ${rule} ${message}`,
      })
    if (expires < today) {
      warn('expired', `expired on ${expires}; remove it, after its cause`)
      continue
    }
    const gate = gateNames.find((name) => rule.startsWith(`${name}/`))
    if (gate === undefined || (severities[gate] ?? 'off') === 'off') continue
    const known = await rules.getOrInsertComputed(gate, () => rulesOf(gate, context))
    const reason = unknownReason(gate, rule.slice(gate.length + 1), known)
    if (reason !== undefined) warn('unknown', reason)
  }
  return warnings
}

function unknownReason(gate: GateName, name: string, known: readonly string[]): string | undefined {
  // Below their names, programs have rules of their own.
  const [first = ''] = name.split('/')
  if (known.includes(gate === 'programs' ? first : name)) return undefined
  const nearest = nearestName(gate === 'programs' ? first : name, known)
  const areAll = repositoryGateNames.some((one) => one === gate)
  if (nearest === undefined && !areAll) return undefined
  const advice =
    nearest === undefined ? `expected one of ${someInLine(known, maxRules)}` : `did you mean ${nearest}?`
  return `covers nothing: unknown rule of the gate ${gate}; ${advice}`
}
