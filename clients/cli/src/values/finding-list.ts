import type { JsonObject } from '@bufbuild/protobuf'
import { formatLocation } from '@wadi/errors/location.ts'
import type { Finding } from '@wadi/zarf/lint/finding.ts'
import { printable } from '../output/printable.ts'

/** Returns a finding as one line, `file:line:column: message`; a warning has `warning: ` before the message. */
export function findingLine({ severity, message, at }: Finding): string {
  const place = at === undefined ? '' : `${formatLocation(at)}: `
  return printable(`${place}${severity === 'error' ? '' : `${severity}: `}${message}`)
}

/** Returns a finding for programs: severity and message, and of file, line, column, path and code what is known. */
export function findingObject({ severity, message, at, path, code }: Finding): JsonObject {
  return {
    severity,
    ...(at !== undefined && { file: at.file }),
    ...(at?.line !== undefined && { line: at.line }),
    ...(at?.column !== undefined && { column: at.column }),
    ...(path !== undefined && { path }),
    ...(code !== undefined && { code }),
    message,
  }
}
