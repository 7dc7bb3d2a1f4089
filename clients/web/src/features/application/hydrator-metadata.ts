import type { JsonValue } from '@bufbuild/protobuf'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'

/** What the record beside the manifests says about how they were made. */
export interface HydratorMetadata {
  /** Programs with their versions, `helm v4.1.4` for example. */
  tools: readonly string[]
  /** What was run, or would give the same when it is typed. */
  commands: readonly string[]
}

/** Reads `hydrator.metadata`; what is missing or of another form is left out. */
export function hydratorMetadata(json: string): HydratorMetadata {
  const metadata = parsed(json)
  return {
    tools: listAt(metadata, 'tools').map((tool) =>
      `${textAt(tool, 'name')} ${textAt(tool, 'version')}`.trim(),
    ),
    commands: listAt(metadata, 'commands').filter((command) => typeof command === 'string'),
  }
}

/** Somebody else may have written the file. */
function parsed(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue
  } catch {
    return undefined
  }
}
