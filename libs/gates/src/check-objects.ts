import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { milder, type Severity, type UnplacedFinding } from './finding.ts'
import { type GateName, type GateSeverities, objectGateNames } from './gate-names.ts'
import type { Gate, GateContext, Violation } from './gate.ts'

// A gate that is off costs nothing: its rules are loaded when it runs.
const openGates: Record<(typeof objectGateNames)[number], () => Promise<Gate>> = {
  secrets: async () => (await import('./secrets/secrets-gate.ts')).secretsGate,
  'api-versions': async () => (await import('./api-versions/api-versions-gate.ts')).apiVersionsGate,
  schemas: async () => (await import('./schemas/schemas-gate.ts')).schemasGate,
  policies: async () => (await import('./policies/policies-gate.ts')).policiesGate,
  'operator-policies': async () => (await import('./policies/policies-gate.ts')).operatorPoliciesGate,
  'cluster-policies': async () => (await import('./policies/policies-gate.ts')).clusterPoliciesGate,
}

/** Returns what the gates find, one gate after the other, in the order of the objects. */
export async function checkObjects(
  manifests: readonly Manifest[],
  severities: GateSeverities,
  context: GateContext,
): Promise<UnplacedFinding[]> {
  const findings: UnplacedFinding[] = []
  for (const name of objectGateNames) {
    const severity = severities[name]
    if (severity === undefined || severity === 'off') continue
    const gate = await openGates[name]()
    for (const { object, at, ...violation } of (await gate.checkSettings?.(context)) ?? []) {
      findings.push({ ...asFinding(violation, { gate, manifest: object, severity }), ...(at && { at }) })
    }
    const violations = await gate.check(manifests, context)
    for (const [position, manifest] of manifests.entries()) {
      for (const violation of violations[position] ?? []) {
        findings.push({ ...asFinding(violation, { gate, manifest, severity }), position })
      }
    }
  }
  return findings
}

/** Returns the names of the rules of a gate that runs. */
export async function rulesOf(name: GateName, context: GateContext): Promise<readonly string[]> {
  return name === 'programs' ? (context.programs ?? []) : (await openGates[name]()).rules(context)
}

interface FoundBy {
  readonly gate: Gate
  readonly manifest: Manifest
  readonly severity: Severity
}

function asFinding(
  { rule, severity: own, ...rest }: Violation,
  { gate, manifest, severity }: FoundBy,
): UnplacedFinding {
  return {
    ...rest,
    rule: `${gate.name}/${rule}`,
    severity: own === undefined ? severity : milder(own, severity),
    object: manifestIdentity(manifest),
  }
}
