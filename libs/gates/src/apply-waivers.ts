import { type Finding, milder, objectName } from './finding.ts'
import { type GateName, gateNames, type GateSeverities } from './gate-names.ts'
import { type ObjectWaiver, waiverAnnotation } from './object-waivers.ts'
import type { Waiver } from './settings/read-waiver.ts'
import { type ApplicationWaivers, globMatcher } from './settings/waivers-of.ts'

/** The findings that remain, and those that waivers cover. */
export interface WaivedFindings<Found> {
  readonly findings: readonly Found[]
  readonly covered: readonly (Found & Required<Pick<Finding, 'waiver'>>)[]
}

/** The waivers of a check, and what bounds them. */
export interface AppliedWaivers extends ApplicationWaivers {
  /** The day in UTC, `YYYY-MM-DD`. */
  readonly today: string
  /** The severities that findings of a gate keep under a waiver; default: none is kept. */
  readonly unwaivable?: GateSeverities
}

type WaivedFinding = Pick<Finding, 'rule' | 'object' | 'severity' | 'message'>

/**
 * Sets apart the findings of an Application that a waiver covers, and makes those milder that the operator asks for.
 * @param ofObjects the waivers in annotations of its objects
 */
export function applyWaivers<Found extends WaivedFinding>(
  findings: readonly Found[],
  { waivers, acceptsAnnotations, today, unwaivable = {} }: AppliedWaivers,
  ofObjects: readonly ObjectWaiver[],
): WaivedFindings<Found> {
  const ofFile = waivers
    .filter(({ expires }) => expires >= today)
    .map((waiver) => ({ waiver, matches: globMatcher(waiver.object) }))
  const inForce = ofObjects.filter(({ expires }) => expires >= today)
  const byObject = Map.groupBy(inForce, ({ object }) => JSON.stringify(object))
  const rest: Found[] = []
  const covered: WaivedFindings<Found>['covered'][number][] = []
  for (const finding of findings) {
    const written = ofFile.find(
      ({ waiver, matches }) => isFor(waiver, finding) && matches(objectName(finding)),
    )
    const annotated = byObject.get(JSON.stringify(finding.object))?.find((waiver) => isFor(waiver, finding))
    const waiver = written?.waiver ?? (acceptsAnnotations ? annotated : undefined)
    const kept = unwaivable[gateOf(finding)] ?? 'off'
    if (waiver === undefined) {
      rest.push(annotated === undefined ? finding : withAddition(finding, notAccepted))
    } else if (kept === 'off') {
      const { owner, reason, expires } = waiver
      covered.push({ ...finding, waiver: { owner, reason, expires } })
    } else {
      const severity = milder(finding.severity, kept)
      rest.push({ ...withAddition(finding, written ? fileIsNotEnough : annotationIsNotEnough), severity })
    }
  }
  return { findings: rest, covered }
}

const annotation = `its annotation ${waiverAnnotation}`
const notAccepted = `${annotation} does not cover it, as waiverAnnotations in wadi.yaml does not name the Application`
const annotationIsNotEnough = `${annotation} does not cover it, as the operator asks for this gate`
const fileIsNotEnough = 'the waiver in wadi.yaml does not cover it, as the operator asks for this gate'

function withAddition<Found extends WaivedFinding>(finding: Found, addition: string): Found {
  return { ...finding, message: `${finding.message}; ${addition}` }
}

function gateOf({ rule }: Pick<Finding, 'rule'>): GateName {
  const name = gateNames.find((one) => rule.startsWith(`${one}/`))
  if (name === undefined) throw new Error(`${rule} is not a rule of a gate`)
  return name
}

function isFor({ rule }: Pick<Waiver, 'rule'>, finding: Pick<Finding, 'rule'>): boolean {
  return finding.rule === rule || finding.rule.startsWith(`${rule}/`)
}
