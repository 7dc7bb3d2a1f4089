import { type DescField, getOption } from '@bufbuild/protobuf'
import { inlined, pointer, value, value_message } from '@wadi/protocol/gen/wadi/go_fields/v1/go_fields_pb.ts'

/** The form of a Kubernetes field in JSON where it differs from its message, from the options of the contract. */
interface FieldForm {
  /** True if zero or empty equals absent. */
  isNothingWhenEmpty: boolean
  /** True if the fields of the message in this field belong to the surrounding object. */
  isInlined: boolean
}

/** By field, because each reading of an option decodes it; there are as many as the contracts have fields. */
const forms = new Map<DescField, FieldForm>()

/** Returns how a field stands in JSON. */
export function fieldForm(field: DescField): FieldForm {
  const known = forms.get(field)
  if (known) return known
  const isNothingWhenEmpty =
    field.fieldKind === 'message'
      ? getOption(field.message, value_message) || getOption(field, value)
      : !getOption(field, pointer)
  const form = { isNothingWhenEmpty, isInlined: getOption(field, inlined) }
  forms.set(field, form)
  return form
}
