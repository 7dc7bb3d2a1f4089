import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  Parameter,
  ParameterChangesSchema,
  ParameterEntry,
  ParameterValue,
  ParameterValueSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { errorOfLimits } from './value-limits.ts'
import { t } from '../../../language/t.ts'

/** A value as the form edits it. */
export type EditedValue =
  | { case: 'text'; value: string }
  | { case: 'list'; value: readonly string[] }
  | { case: 'map'; value: readonly Pick<ParameterEntry, 'key' | 'value'>[] }

/** The changes in the form, by the name of the parameter; `unset` lets the default apply. */
export type ParameterEdits = ReadonlyMap<string, EditedValue | 'unset'>

/** No changes. */
export const noEdits: ParameterEdits = new Map()

/** The value of a message as the form edits it. */
export function editedValue(value: ParameterValue | undefined): EditedValue | undefined {
  switch (value?.kind.case) {
    case 'text':
      return { case: 'text', value: value.kind.value }
    case 'list':
      return { case: 'list', value: value.kind.value.items }
    case 'map':
      return {
        case: 'map',
        value: value.kind.value.entries.map(({ key, value: text }) => ({ key, value: text })),
      }
    default:
      return undefined
  }
}

/** Returns the value of a parameter with the edits; undefined if the default applies. */
export function setValue(parameter: Parameter, edits: ParameterEdits): EditedValue | undefined {
  const edit = edits.get(parameter.name)
  if (edit === 'unset') return undefined
  return edit ?? editedValue(parameter.value)
}

/** The edits with one more; one that brings back what is set already is none. */
export function withEdit(
  edits: ParameterEdits,
  parameter: Parameter,
  edit: EditedValue | 'unset',
): ParameterEdits {
  const next = new Map(edits)
  const wanted = edit === 'unset' || isNothing(edit) ? undefined : edit
  const isAsBefore = JSON.stringify(wanted) === JSON.stringify(editedValue(parameter.value))
  if (isAsBefore) next.delete(parameter.name)
  else next.set(parameter.name, wanted ?? 'unset')
  return next
}

/** A table without a row of its own sets nothing. */
function isNothing(edit: EditedValue): boolean {
  return edit.case === 'map' && edit.value.length === 0
}

/** The edits as the server takes them: each replaces all of its parameter. */
export function changesOf(edits: ParameterEdits): MessageInitShape<typeof ParameterChangesSchema> {
  const entries = [...edits]
  return {
    removals: entries.flatMap(([name, edit]) => (edit === 'unset' ? [name] : [])),
    assignments: entries.flatMap(([target, edit]) =>
      edit === 'unset' ? [] : [{ target, whole: { kind: messageKind(edit) } }],
    ),
  }
}

function messageKind(edit: EditedValue): NonNullable<MessageInitShape<typeof ParameterValueSchema>['kind']> {
  if (edit.case === 'list') return { case: 'list', value: { items: [...edit.value] } }
  if (edit.case === 'map') return { case: 'map', value: { entries: [...edit.value] } }
  return edit
}

/** Returns the error of a value while it is typed; undefined if there is none. The server checks it again with the tool. */
export function errorOfValue(parameter: Parameter, value: EditedValue | undefined): string | undefined {
  const { required, default: fallback } = parameter
  if (value === undefined) return required && fallback === undefined ? t('A value is required') : undefined
  if (value.case === 'map')
    return (
      errorOfKeys(value.value.map(({ key }) => key)) ??
      errorOfTexts(
        parameter,
        value.value.map((entry) => entry.value),
      )
    )
  const texts = value.case === 'list' ? value.value : [value.value]
  if (required && texts.every((text) => text === '')) return t('A value is required')
  return errorOfTexts(parameter, texts)
}

function errorOfKeys(keys: readonly string[]): string | undefined {
  if (keys.includes('')) return t('Every row needs a key')
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  return twice === undefined ? undefined : t('The key {key} comes twice', { key: twice })
}

function errorOfTexts(parameter: Parameter, texts: readonly string[]): string | undefined {
  const { type, options } = parameter
  if (type === 'number') {
    const wrong = texts.find((text) => text.trim() === '' || Number.isNaN(Number(text)))
    if (wrong !== undefined)
      return wrong === '' ? t('A number is required') : t('{value} is not a number', { value: wrong })
  }
  if (type === 'enum' && options.length > 0) {
    const wrong = texts.find((text) => !options.includes(text))
    if (wrong !== undefined)
      return t('{value} is not one of {options}', { value: wrong, options: options.join(', ') })
  }
  return texts.map((text) => errorOfLimits(parameter, text)).find((error) => error !== undefined)
}
