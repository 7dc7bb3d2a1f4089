import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { OutputName } from '../read/cartographer-objects.ts'
import { Findings } from '../findings.ts'
import { ObjectFields } from '../read/object-fields.ts'

/** Outputs that only a live cluster would know, as they are recorded in git beside a workload. */
export interface RecordedOutputs {
  /** The file that they are in. */
  file: string
  /** By the name of the resource and the output. */
  byResource: ReadonlyMap<string, ReadonlyMap<OutputName, Located>>
}

/** The path of each output in the record of its resource. */
export const recordedFields: Record<OutputName, readonly string[]> = {
  url: ['source', 'url'],
  revision: ['source', 'revision'],
  image: ['image'],
  config: ['config'],
}

/**
 * Reads `outputs.yaml`, which has the shape of cartotest's `previousOutputs`: by the name of the resource, `image`,
 * `config` and `source` with `url` and `revision`.
 *
 * @throws InvalidInputError with all findings, one `file:line: …` a line.
 */
export function readRecordedOutputs(document: Located): RecordedOutputs {
  const findings = new Findings()
  const byResource = new Map<string, ReadonlyMap<OutputName, Located>>()
  const root = new ObjectFields(document, '', findings)
  root.known('previousOutputs')
  const outputs = root.map('previousOutputs')
  for (const name of keysOf(outputs.located)) byResource.set(name, readOutputs(outputs.map(name)))
  findings.throwAll()
  return { file: document.at.file, byResource }
}

function readOutputs(fields: ObjectFields): Map<OutputName, Located> {
  fields.known('source', 'image', 'config')
  const source = fields.map('source')
  source.known('url', 'revision')
  const found: [OutputName, Located | undefined][] = [
    ['url', source.any('url')],
    ['revision', source.any('revision')],
    ['image', fields.any('image')],
    ['config', fields.any('config')],
  ]
  return new Map(found.flatMap(([output, value]) => (value === undefined ? [] : [[output, recorded(value)]])))
}

function recorded(located: Located): Located {
  const { value, at } = located
  const winner = { owner: 'developer', kind: 'value', at, value, label: 'recorded output' } as const
  return { ...located, derivedFrom: { step: 'recorded output', why: { winner, overridden: [] } } }
}

function keysOf({ value }: Located): string[] {
  return isValueMap(value) ? Array.from(value.keys()) : []
}
