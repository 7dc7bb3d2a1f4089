import { printable } from '../output/printable.ts'
import { tableText } from '../output/table.ts'
import type { ExplainedParameter, ExplainedSource, PrintableValue } from '@wadi/params/explain/explain.ts'

/** Most characters of a value in a table of many. */
const maxCellLength = 60

const headers = ['PARAMETER', 'VALUE', 'FROM', 'OVERRIDES']

/** Returns a table with a row for each parameter, grouped by the tree that it is in: its value, where it comes from, what it overrides. */
export function explanationTable(parameters: readonly ExplainedParameter[]): string {
  if (parameters.length === 0) return 'Only its files decide this source.\n'
  const groups = Map.groupBy(parameters, ({ of }) => of)
  const rows = [...groups.values()]
    .flat()
    .map(({ path, value, from, beats }) => [
      path,
      cut(valueText(value)),
      cut(originText(from), 2 * maxCellLength),
      overriddenBy(from, beats).map(overriddenText).join(', '),
    ])
  const [head = '', ...lines] = tableText(headers, rows).split(/(?<=\n)/)
  const blocks = Array.from(groups, ([name, own], index) => {
    const heading = `${index === 0 ? '' : '\n'}${printable(name)}:\n`
    return heading + lines.splice(0, own.length).join('')
  })
  return head + blocks.join('')
}

/**
 * Returns the whole chain of each parameter: a sentence, then a line for the winner, each place that it was taken from and
 * each place that was overridden, with owner, kind and place.
 */
export function explanationDetails(parameters: readonly ExplainedParameter[]): string {
  return parameters
    .map((parameter) => {
      const { of, from, beats } = parameter
      const lines = tableText(['', 'OWNER', 'KIND', 'PLACE', 'VALUE'], chainRows(from, beats, ''))
      return `${printable(of)}\n${printable(explanationSentence(parameter))}\n${lines.replaceAll(/^(?=.)/gm, '  ')}`
    })
    .join('\n')
}

/** `.app.replicas = 5  <- param replicas <- apps/shop/workload.yaml:7 (overrides platform/web.yaml:8 supply chain default 2)`. */
function explanationSentence({ path, value, from, beats }: ExplainedParameter): string {
  const overridden = overriddenBy(from, beats).map(overriddenText)
  const end = overridden.length === 0 ? '' : ` (overrides ${overridden.join(', ')})`
  return `${path} = ${valueText(value)}  <- ${originText(from, true)}${end}`
}

function chainRows(from: ExplainedSource, beats: readonly ExplainedSource[], indent: string): string[][] {
  const { derivedFrom } = from
  return [
    sourceRow(indent, from),
    ...(derivedFrom === undefined
      ? []
      : chainRows(derivedFrom.from, derivedFrom.beats, `${indent}  <- ${derivedFrom.step}: `)),
    ...beats.map((source) => sourceRow(`${indent.replaceAll(/\S.*$/g, '   ')}  overrides `, source)),
  ]
}

function sourceRow(start: string, source: ExplainedSource): string[] {
  const { owner, kind, label = kind, value } = source
  return [`${start}${label}`, owner, kind, placeText(source), valueText(value)]
}

/** The way back to the place that decided a value. */
function originText(source: ExplainedSource, isWhole = false): string {
  const { derivedFrom, label } = source
  if (derivedFrom === undefined) return placeText(source)
  const start = isWhole && label !== undefined ? `${label} <- ` : ''
  return `${start}${derivedFrom.step} <- ${originText(derivedFrom.from, isWhole)}`
}

/** Everything that was overridden on the way, the nearest to the deciding place first. */
function overriddenBy(
  { derivedFrom }: ExplainedSource,
  beats: readonly ExplainedSource[],
): ExplainedSource[] {
  return derivedFrom === undefined
    ? [...beats]
    : [...overriddenBy(derivedFrom.from, derivedFrom.beats), ...beats]
}

function overriddenText(source: ExplainedSource): string {
  const { kind, label = kind, value } = source
  return `${placeText(source)} ${label} ${cut(valueText(value))}`
}

function placeText({ file, line }: ExplainedSource): string {
  return line === undefined ? file : `${file}:${line}`
}

/** JSON, but a text without quotes where nobody could take it for anything else. */
function valueText(value: PrintableValue): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^(?:|true|false|null|[-+.\d].*|[\s"'[{].*|.*\s)$/s.test(value) ? JSON.stringify(value) : value
}

function cut(text: string, most = maxCellLength): string {
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
