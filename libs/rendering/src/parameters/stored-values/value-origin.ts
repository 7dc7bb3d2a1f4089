import { formatLocation, type Location } from '@wadi/errors/location.ts'
import type { ParameterOrigin } from '../describe/parameter-message.ts'

/** The place of a value that a file holds. */
export function originAt({ file, line = 0 }: Location): ParameterOrigin {
  return { kind: 'file', file, line }
}

/** A place as `file:line`. */
export function lineText({ file, line }: Location): string {
  return formatLocation(line === undefined ? { file } : { file, line })
}
