import { unknownField } from '@wadi/fields/field-findings.ts'
import { partOf } from '@wadi/params/values/located.ts'
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

/** Where an output is recorded below the name of its resource. */
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
  requireKnown(document, ['previousOutputs'], '', findings)
  const outputs = root.map('previousOutputs')
  for (const name of keysOf(outputs.located))
    byResource.set(name, readOutputs(outputs.map(name), name, findings))
  findings.throwAll()
  return { file: document.at.file, byResource }
}

function readOutputs(fields: ObjectFields, name: string, findings: Findings): Map<OutputName, Located> {
  const path = `previousOutputs.${name}.`
  requireKnown(fields.located, ['source', 'image', 'config'], path, findings)
  const source = fields.map('source')
  requireKnown(source.located, ['url', 'revision'], `${path}source.`, findings)
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

function requireKnown(located: Located, known: readonly string[], path: string, findings: Findings): void {
  for (const key of keysOf(located)) {
    if (known.includes(key)) continue
    findings.add(partOf(located, key)?.at ?? located.at, unknownField(`${path}${key}`, key, known))
  }
}

function keysOf({ value }: Located): string[] {
  return isValueMap(value) ? Array.from(value.keys()) : []
}
