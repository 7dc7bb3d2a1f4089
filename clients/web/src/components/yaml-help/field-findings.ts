import { fieldOfWrongType, unknownField } from '@wadi/fields/field-findings.ts'
import { jsonType, type ValueType } from '@wadi/fields/field-view.ts'
import { fieldsOf, itemTypeOf, type KnownKind, valueTypeOf } from './kind-fields.ts'
import { type PlacedNode, readPlacedYaml } from './placed-yaml.ts'

/** Something in a text that does not fit the fields of its kind. */
export interface FieldFinding {
  /** From 1. */
  line: number
  message: string
}

const maxFindings = 50

/** Returns what of a text the fields of its kind do not have, at most 50 findings; none for a text that is not YAML, which its reader says. */
export function fieldFindings(text: string, kind: KnownKind): FieldFinding[] {
  const findings: FieldFinding[] = []
  const root = placed(text)
  if (root?.members) check(root, kind, '', findings)
  return findings.slice(0, maxFindings)
}

function placed(text: string): PlacedNode | undefined {
  try {
    return readPlacedYaml(text)
  } catch {
    return undefined
  }
}

function check(node: PlacedNode, type: string, path: string, findings: FieldFinding[]): void {
  if (type === 'any' || typeOf(node) === 'null' || isTemplate(node)) return
  const wanted = wantedType(type)
  if (typeOf(node) !== wanted) {
    findings.push({ line: node.line, message: fieldOfWrongType(path, wanted, typeOf(node)) })
    return
  }
  const itemType = itemTypeOf(type) ?? 'any'
  for (const [index, item] of node.items?.entries() ?? [])
    check(item, itemType, `${path}[${index}]`, findings)
  const valueType = valueTypeOf(type)
  const fields = fieldsOf(type) ?? {}
  for (const [key, member] of node.members ?? []) {
    const at = path === '' ? key : `${path}.${key}`
    const memberType = valueType ?? (Object.hasOwn(fields, key) ? fields[key]?.type : undefined)
    if (memberType === undefined)
      findings.push({ line: member.line, message: unknownField(at, key, Object.keys(fields)) })
    else check(member, memberType, at, findings)
  }
}

function wantedType(type: string): ValueType {
  if (itemTypeOf(type) !== undefined) return 'list'
  return type === 'string' || type === 'boolean' || type === 'number' ? type : 'object'
}

function typeOf({ items, members, scalar }: PlacedNode): ValueType {
  if (items) return 'list'
  return members ? 'object' : jsonType(typeof scalar === 'bigint' ? 0 : scalar)
}

/** A template of an ApplicationSet, which may become any value. */
function isTemplate({ scalar }: PlacedNode): boolean {
  return typeof scalar === 'string' && scalar.includes('{{')
}
