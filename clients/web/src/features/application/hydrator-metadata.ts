import { type JsonValue, toJson } from '@bufbuild/protobuf'
import { listAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'
import {
  type ExplainedParameter,
  ExplainedParameterSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/explanation_pb.ts'
import { t } from '../../language/t.ts'

/** A value that decided the manifests, in words. */
export interface DecidedValue {
  /** The owner of the value, `values of chart "web"` for example. */
  of: string
  path: string
  value: string
  /** The place that decided it, and how it got from there when it was derived. */
  from: string
  /** The file of the place where it is written, and its line; empty and 0 where that is not a file. */
  file: string
  line: number
  /** The places that it won over, the strongest first, each with its value. */
  overrides: readonly string[]
}

/** The record next to the manifests about how they were made. */
export interface HydratorMetadata {
  /** Programs with their versions, `helm v4.1.4` for example. */
  tools: readonly string[]
  /** The commands that were run, or would give the same result when typed. */
  commands: readonly string[]
  decided: readonly DecidedValue[]
}

/** Longest way of a derived value that is followed. */
const maxSteps = 10
const maxValueLength = 80

/** Reads `hydrator.metadata`; what is missing or of another form is left out. */
export function hydratorMetadata(json: string): HydratorMetadata {
  const metadata = parsed(json)
  return {
    tools: listAt(metadata, 'tools').map((tool) =>
      `${textAt(tool, 'name')} ${textAt(tool, 'version')}`.trim(),
    ),
    commands: listAt(metadata, 'commands').filter((command) => typeof command === 'string'),
    decided: listAt(metadata, 'parameters').map(decidedValue),
  }
}

/** The values of a source that somebody set over what its tool has by default. */
export function decidedValues(explained: readonly ExplainedParameter[]): DecidedValue[] {
  const set = explained.filter(({ from }) => from !== undefined && from.owner !== 'tool')
  return set.map(explainedValue)
}

/** Returns an explained value in words. */
export function explainedValue(parameter: ExplainedParameter): DecidedValue {
  return decidedValue(toJson(ExplainedParameterSchema, parameter))
}

function decidedValue(parameter: JsonValue): DecidedValue {
  const from = valueAt(parameter, 'from')
  return {
    of: textAt(parameter, 'of'),
    path: textAt(parameter, 'path'),
    value: valueText(valueAt(parameter, 'value')),
    from: originText(from, maxSteps),
    ...writtenAt(from, maxSteps),
    overrides: overridden(from, listAt(parameter, 'beats'), maxSteps),
  }
}

function originText(source: JsonValue | undefined, steps: number): string {
  const derived = valueAt(source, 'derivedFrom')
  if (derived === undefined || steps === 0) return `${labelOf(source)}, ${placeOf(source)}`
  const from = valueAt(derived, 'from')
  const [step, before] = [textAt(derived, 'step'), originText(from, steps - 1)]
  return step === labelOf(from) ? before : t('{step}, from {origin}', { step, origin: before })
}

function writtenAt(source: JsonValue | undefined, steps: number): { file: string; line: number } {
  const derived = valueAt(source, 'derivedFrom')
  if (derived !== undefined && steps > 0) return writtenAt(valueAt(derived, 'from'), steps - 1)
  const line = valueAt(source, 'line')
  return { file: textAt(source, 'file'), line: typeof line === 'number' ? line : 0 }
}

/** Returns the overridden values, the nearest to the deciding place first. */
function overridden(source: JsonValue | undefined, beats: readonly JsonValue[], steps: number): string[] {
  const derived = valueAt(source, 'derivedFrom')
  const before =
    derived === undefined || steps === 0
      ? []
      : overridden(valueAt(derived, 'from'), listAt(derived, 'beats'), steps - 1)
  const own = beats.map((beat) => `${valueText(valueAt(beat, 'value'))}: ${labelOf(beat)}, ${placeOf(beat)}`)
  return [...before, ...own]
}

function labelOf(source: JsonValue | undefined): string {
  return textAt(source, 'label') || textAt(source, 'kind')
}

function placeOf(source: JsonValue | undefined): string {
  const line = valueAt(source, 'line')
  return `${textAt(source, 'file')}${typeof line === 'number' ? `:${line}` : ''}`
}

function valueText(value: JsonValue | undefined): string {
  const text = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '')
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

/** Somebody else may have written the file. */
function parsed(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue
  } catch {
    return undefined
  }
}
