import type { Parameter } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { EditedValue } from './parameter-edits.ts'

/** The properties of the inputs of all kinds of values. */
export interface ValueInputProps {
  parameter: Parameter
  label: string
  /** The value; undefined if the default applies. */
  value: EditedValue | undefined
  /** The default. */
  fallback: EditedValue | undefined
  error: string | undefined
  onChange: (edit: EditedValue | 'unset') => void
}
