import { create } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'

/** Objects of a source are denied by gates. */
export class DeniedError extends InvalidInputError {
  /** All findings that are kept. */
  readonly findings: readonly Finding[]

  constructor(reason: string, findings: readonly Finding[]) {
    super(reason)
    this.findings = findings
  }
}

/** Returns the fields by which an answer reports what gates deny beside the error; none of another error. */
export function deniedFields(error: unknown) {
  if (!(error instanceof DeniedError)) return {}
  const [{ place } = {}] = error.findings
  return {
    record: create(RenderRecordSchema, { findings: [...error.findings] }),
    ...(place && { place }),
  }
}
