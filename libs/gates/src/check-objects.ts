import type { Location } from '@wadi/errors/location.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { type Finding, milder, type Severity } from './finding.ts'
import { type GateName, gateNames, type GateSeverities } from './gate-names.ts'
import type { Gate, GateContext, Violation } from './gate.ts'

// A gate that is off costs nothing: its rules are loaded when it runs.
const openGates: Record<GateName, () => Promise<Gate>> = {
  secrets: async () => (await import('./secrets/secrets-gate.ts')).secretsGate,
  'api-versions': async () => (await import('./api-versions/api-versions-gate.ts')).apiVersionsGate,
  schemas: async () => (await import('./schemas/schemas-gate.ts')).schemasGate,
  policies: async () => (await import('./policies/policies-gate.ts')).policiesGate,
}

/** Finds the line that a value comes from, by the forms in which it may be written there. */
export type FindPlace = (written: readonly string[]) => Promise<Location | undefined>

/** Returns what the gates find, one gate after the other, in the order of the objects. */
export async function checkObjects(
  manifests: readonly Manifest[],
  severities: GateSeverities,
  context: GateContext,
  findPlace: FindPlace,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const name of gateNames) {
    const severity = severities[name]
    if (severity === undefined || severity === 'off') continue
    const gate = await openGates[name]()
    for (const { object, at, ...violation } of (await gate.checkSettings?.(context)) ?? []) {
      const known = { gate, manifest: object, severity, findPlace: async () => at }
      findings.push(await asFinding(violation, known))
    }
    const violations = await gate.check(manifests, context)
    for (const [index, manifest] of manifests.entries()) {
      for (const violation of violations[index] ?? []) {
        findings.push(await asFinding(violation, { gate, manifest, severity, findPlace }))
      }
    }
  }
  return findings
}

interface FoundBy {
  readonly gate: Gate
  readonly manifest: Manifest
  readonly severity: Severity
  readonly findPlace: FindPlace
}

async function asFinding(
  { rule, field, message, written, severity: own }: Violation,
  { gate, manifest, severity, findPlace }: FoundBy,
): Promise<Finding> {
  return {
    rule: `${gate.name}/${rule}`,
    severity: own === undefined ? severity : milder(own, severity),
    object: manifestIdentity(manifest),
    field,
    message,
    at: await findPlace(written),
  }
}
