import type { Parameter, ParameterEntry } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { originText, typeText, valueText } from './parameter-text.ts'
import { printable } from '../output/printable.ts'
import { tableText } from '../output/table.ts'

/** The layout of a table of parameters. */
export interface ParameterTableOptions {
  /** Adds what each parameter is for and the values to choose from. */
  wide: boolean
  /** Leaves out what has its default. */
  setOnly: boolean
  /** Columns of the terminal that defaults and values are shortened to; undefined for no limit. */
  width: number | undefined
}

interface Row {
  name: string
  type: string
  fallback: string
  value: string
  from: string
  description: string
}

const headers = ['NAME', 'TYPE', 'DEFAULT', 'VALUE', 'FROM']
const least = 12

/**
 * Returns the table that `app params` prints: parameters by group, the main group first and without a heading. A map has
 * one row for each key, and those that are set begin with `*`.
 */
export function parameterTable(parameters: readonly Parameter[], options: ParameterTableOptions): string {
  const shown = parameters.filter((parameter) => !options.setOnly || parameter.value !== undefined)
  const groups = new Map<string, Row[]>([['', []]])
  for (const parameter of shown) {
    const rows = groups.get(parameter.group) ?? []
    groups.set(parameter.group, rows)
    rows.push(...rowsOf(parameter, options))
  }
  const cells = shortened([...groups.values()].flat(), options.width).map((row) => cellsOf(row, options.wide))
  const text = tableText(options.wide ? [...headers, 'DESCRIPTION'] : headers, cells)
  const [head = '', ...lines] = text.split(/(?<=\n)/)
  const blocks = [...groups].map(([group, rows]) => {
    const block = lines.splice(0, rows.length).join('')
    return group === '' ? block : `\n${printable(group)}:\n${block}`
  })
  return head + blocks.join('')
}

function rowsOf(parameter: Parameter, { wide, setOnly }: ParameterTableOptions): Row[] {
  const { name, value, origin, default: fallback, defaultOrigin } = parameter
  const row = {
    name: printable(name),
    type: typeText(parameter),
    fallback: isMap(fallback) ? '' : valueText(fallback),
    value: isMap(value) ? '' : valueText(value),
    from: originText(value === undefined ? defaultOrigin : origin, wide),
    description: description(parameter),
  }
  const [defaults, overrides] = [entriesOf(fallback), entriesOf(value)]
  const keys = new Set([...(setOnly ? [] : defaults.keys()), ...overrides.keys()])
  const items = [...keys].map((key) => ({
    name: `${overrides.has(key) ? '*' : ' '} ${printable(key)}`,
    type: '',
    fallback: quotedWhenEmpty(defaults.get(key)),
    value: quotedWhenEmpty(overrides.get(key)),
    from: '',
    description: '',
  }))
  return [row, ...items]
}

function isMap(value: Parameter['value']): boolean {
  return value?.kind.case === 'map'
}

function entriesOf(value: Parameter['value']): Map<string, string> {
  const entries: ParameterEntry[] = value?.kind.case === 'map' ? value.kind.value.entries : []
  return new Map(entries.map((entry) => [entry.key, entry.value]))
}

function quotedWhenEmpty(text: string | undefined): string {
  return text === '' ? '""' : (text ?? '')
}

function description({ title, tooltip, options, required, fixedBecause }: Parameter): string {
  const choice = options.length === 0 ? '' : `one of ${options.join(', ')}`
  const fixed = fixedBecause === '' ? '' : `cannot be set: ${fixedBecause}`
  const text = (tooltip || title).replace(/\.$/, '')
  return [text, choice, required ? 'required' : '', fixed].filter(Boolean).join('; ')
}

function cellsOf({ name, type, fallback, value, from, description: text }: Row, wide: boolean): string[] {
  return [name, type, fallback, value, from, ...(wide ? [text] : [])]
}

/** Shares the room that the other columns leave between default and value; what one does not need the other gets. */
function shortened(rows: readonly Row[], width: number | undefined): Row[] {
  const plain = rows.map((row) => ({
    ...row,
    fallback: printable(row.fallback),
    value: printable(row.value),
  }))
  if (width === undefined) return plain
  const columnWidth = (header: string, cell: (row: Row) => string): number =>
    Math.max(header.length, ...plain.map((row) => length(cell(row))))
  const others =
    columnWidth('NAME', ({ name }) => name) +
    columnWidth('TYPE', ({ type }) => type) +
    columnWidth('FROM', ({ from }) => from)
  const gaps = 2 * (headers.length - 1)
  const room = Math.max(2 * least, width - others - gaps)
  const valueWidth = columnWidth('VALUE', ({ value }) => value)
  const forDefault = Math.max(Math.floor(room / 2), room - valueWidth)
  const forValue =
    room -
    Math.min(
      columnWidth('DEFAULT', ({ fallback }) => fallback),
      forDefault,
    )
  return plain.map((row) => ({
    ...row,
    fallback: cut(row.fallback, forDefault),
    value: cut(row.value, forValue),
  }))
}

function cut(text: string, most: number): string {
  return length(text) <= most
    ? text
    : `${Array.from(text)
        .slice(0, most - 1)
        .join('')}…`
}

function length(text: string): number {
  return Array.from(text).length
}
