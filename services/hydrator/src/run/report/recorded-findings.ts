import { shortened } from '@wadi/errors/some-of.ts'
import { objectName } from '@wadi/gates/finding.ts'
import type {
  ApplicationFindings,
  RecordedFinding,
  RecordedFindings,
} from '@wadi/hydration/hydrated-branch.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'

/** As for warnings, these are less than 100 KiB of a record. */
const maxFindings = 100
const maxLength = 200

/** Returns what gates found in the Applications of a group in the form of its record, findings that waivers cover last. */
export function recordedFindings(
  found: readonly { readonly application: string; readonly findings: readonly Finding[] }[],
): RecordedFindings {
  const all = found.flatMap(({ application, findings }) =>
    findings.map((finding) => ({ application, finding })),
  )
  const open = all.filter(({ finding }) => finding.waiver === undefined)
  const covered = all.filter(({ finding }) => finding.waiver !== undefined)
  const kept = [...open, ...covered].slice(0, maxFindings)
  const recorded = Map.groupBy(kept, ({ application }) => application)
  const leftOut = all.length - kept.length
  return {
    findings: Array.from(recorded, ([application, findings]): ApplicationFindings => ({
      application,
      findings: findings.map(({ finding }) => recordedFinding(finding)),
    })),
    ...(leftOut > 0 && { findingsLeftOut: leftOut }),
  }
}

function recordedFinding({
  rule,
  severity,
  object,
  field,
  message,
  place,
  waiver,
}: Finding): RecordedFinding {
  return {
    rule: shortened(rule, maxLength),
    severity,
    object: object === undefined ? '' : shortened(objectName({ object }), maxLength),
    field: shortened(field, maxLength),
    message: shortened(message, maxLength),
    ...(place && { file: place.file, line: place.line }),
    ...(waiver && {
      waiver: {
        owner: shortened(waiver.owner, maxLength),
        reason: shortened(waiver.reason, maxLength),
        expires: waiver.expires,
      },
    }),
  }
}
