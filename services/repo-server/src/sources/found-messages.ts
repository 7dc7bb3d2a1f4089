import { create } from '@bufbuild/protobuf'
import type { CheckedObjects } from '@wadi/gates/checked-objects.ts'
import type { Finding } from '@wadi/gates/finding.ts'
import { type Finding as FindingMessage, FindingSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'

/** Returns the messages of findings. */
export function messagesOf(findings: readonly Finding[] = []): FindingMessage[] {
  return findings.map(({ at, object, ...finding }) =>
    create(FindingSchema, {
      ...finding,
      ...(object.kind !== '' && { object }),
      ...(at && { place: { file: at.file, line: at.line ?? 0 } }),
    }),
  )
}

/** Returns the warnings about a check. Lines move, so a warning does not name its place: it would be another one. */
export async function warningsOf(checked: CheckedObjects | undefined): Promise<string[]> {
  const found = (checked?.findings ?? []).filter(({ severity }) => severity === 'warn')
  if (found.length === 0) return []
  const { findingText } = await import('./finding-text.ts')
  return found.map(findingText)
}
