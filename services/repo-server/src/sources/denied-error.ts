import { create } from '@bufbuild/protobuf'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'

/** The findings in the objects of a source that are kept, and those that waivers cover. */
export interface FoundInSource {
  readonly findings: readonly Finding[]
  readonly coveredFindings: readonly Finding[]
}

/** Objects of a source are denied by gates. */
export class DeniedError extends InvalidInputError {
  readonly found: FoundInSource

  constructor(reason: string, found: FoundInSource) {
    super(reason)
    this.found = found
  }
}

/** Returns the fields by which an answer reports what gates deny beside the error; none of another error. */
export function deniedFields(error: unknown) {
  if (!(error instanceof DeniedError)) return {}
  const { findings, coveredFindings } = error.found
  const [{ place } = {}] = findings
  return {
    record: create(RenderRecordSchema, {
      findings: [...findings],
      coveredFindings: [...coveredFindings],
    }),
    ...(place && { place }),
  }
}
