import { shortened } from '@wadi/errors/some-of.ts'
import type { ApplicationFindings, RecordedFinding } from '@wadi/hydration/hydrated-branch.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { ObservedGroup } from '../branch-run.ts'
import type { RunOutcome } from '../run-outcome.ts'

/** As for warnings, these are less than 100 KiB of a record. */
const maxFindings = 100
const maxLength = 200

/** Returns what gates found in single Applications: for a group at most 100 findings. */
export function recordedFindings(
  { members }: Pick<ObservedGroup, 'members'>,
  outcome: Pick<RunOutcome, 'findings'>,
): ApplicationFindings[] {
  let left = maxFindings
  const recorded: ApplicationFindings[] = []
  if (outcome.findings.size === 0) return recorded
  for (const { name } of members) {
    const findings = (outcome.findings.get(name) ?? []).slice(0, left).map(recordedFinding)
    left -= findings.length
    if (findings.length > 0) recorded.push({ application: name, findings })
  }
  return recorded
}

function recordedFinding({ rule, severity, object, field, message, place }: Finding): RecordedFinding {
  const { kind = '', namespace = '', name = '' } = object ?? {}
  return {
    rule: shortened(rule, maxLength),
    severity,
    object: shortened([kind, namespace, name].filter((part) => part !== '').join('/'), maxLength),
    field: shortened(field, maxLength),
    message: shortened(message, maxLength),
    ...(place && { file: place.file, line: place.line }),
  }
}
