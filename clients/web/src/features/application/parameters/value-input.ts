import type { Parameter } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { EditedValue } from './parameter-edits.ts'

/** What the inputs of all kinds of values get. */
export interface ValueInputProps {
  parameter: Parameter
  label: string
  /** What is set; undefined when the default applies. */
  value: EditedValue | undefined
  /** The default. */
  fallback: EditedValue | undefined
  error: string | undefined
  onChange: (edit: EditedValue | 'unset') => void
}
