import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { cursorPlace } from './cursor-place.ts'
import { fieldAt, fieldsOf, itemTypeOf, type KnownKind, valuesOf, valueTypeOf } from './kind-fields.ts'

/** Offers the fields of a kind while YAML is typed, and their values where these are known; Ctrl+Space asks for them. */
export function fieldCompletions(kind: KnownKind): Extension {
  return autocompletion({ override: [(context) => completionsAt(kind, context)], icons: false })
}

function completionsAt(
  kind: KnownKind,
  { state, pos, explicit }: CompletionContext,
): CompletionResult | null {
  if (/BlockLiteral|Comment|Quoted/.test(syntaxTree(state).resolveInner(pos, -1).name)) return null
  const place = cursorPlace(state.doc.toString(), pos)
  const field = place && fieldAt(kind, place.path)
  if (!place || !field || (place.from === pos && !explicit)) return null
  const { from, isValue, column, present } = place
  const options = isValue
    ? valuesOf(field).map((value) => ({ label: value }))
    : keyCompletions(field.type, column, present)
  return options.length === 0 ? null : { from, options, validFor: /^[\w./-]*$/ }
}

function keyCompletions(type: string, column: number, present: ReadonlySet<string>): Completion[] {
  const itemType = itemTypeOf(type)
  const [dash, inside] = itemType === undefined ? ['', column] : ['- ', column + 2]
  return Object.entries(fieldsOf(itemType ?? type) ?? {})
    .filter(([name]) => !present.has(name))
    .map(([name, field]) => ({
      label: name,
      detail: detailOf(field.type),
      ...(field.text !== '' && { info: field.text }),
      apply: `${dash}${name}:${valueBeginning(field.type, inside)}`,
    }))
}

function detailOf(type: string): string {
  if (itemTypeOf(type) !== undefined) return 'list'
  if (valueTypeOf(type) !== undefined || fieldsOf(type)) return 'object'
  return type === 'any' ? '' : type
}

function valueBeginning(type: string, column: number): string {
  const indent = `\n${' '.repeat(column + 2)}`
  if (itemTypeOf(type) !== undefined) return `${indent}- `
  return valueTypeOf(type) !== undefined || fieldsOf(type) ? indent : ' '
}
