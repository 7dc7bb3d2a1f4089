import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { MapEntry, ParameterValue } from '@wadi/plugins/parameters/parameter.ts'
import { type ConfigFile, lineOfField, readConfigFile } from '../../../source/config-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { InspectedOptions } from '../../../source/inspected-options.ts'
import type { KustomizeBuild } from '../kustomize-build.ts'
import { type OptionKnowledge, describeOptions } from '../../../parameters/describe/describe-options.ts'
import { kustomizeOptions } from './kustomize-options.ts'
import { imageText } from './kustomize-forms.ts'
import type { ParameterMessage } from '../../../parameters/describe/parameter-message.ts'
import { scalarText } from '../../../source/scalar-text.ts'

/** Describes the options of a Kustomize source; their defaults are what the kustomization itself says. */
export async function describeKustomize(
  tree: FileTree,
  inspection: InspectedOptions,
  plan: KustomizeBuild,
): Promise<ParameterMessage[]> {
  const found = await followPath(tree, plan.file)
  const config = await readConfigFile(tree, found?.target ?? plan.file, plan.file)
  const known = new Map<string, OptionKnowledge>()
  for (const [name, [field, read]] of fields) {
    const value = isJsonObject(config.value) ? read(config.value[field]) : undefined
    if (value !== undefined) known.set(name, { default: { value, origin: originOf(config, field) } })
  }
  return describeOptions(inspection, kustomizeOptions, known)
}

type ReadField = (value: unknown) => ParameterValue | undefined

/** The fields of a kustomization by the option that is set over them. */
const fields = new Map<string, readonly [field: string, read: ReadField]>([
  ['name-prefix', ['namePrefix', readText]],
  ['name-suffix', ['nameSuffix', readText]],
  ['namespace', ['namespace', readText]],
  ['images', ['images', readItems(imageEntry)]],
  ['replicas', ['replicas', readItems((item) => [item['name'], item['count']])]],
  ['common-labels', ['commonLabels', readRecord]],
  ['common-annotations', ['commonAnnotations', readRecord]],
  ['components', ['components', readTexts]],
])

function originOf(config: ConfigFile, field: string): { kind: string; file: string; line: number } {
  return { kind: 'file', file: config.file, line: lineOfField(config, [field]) }
}

function readText(value: unknown): ParameterValue | undefined {
  return typeof value === 'string' && value !== '' ? { kind: 'string', text: value } : undefined
}

function readTexts(value: unknown): ParameterValue | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  return { kind: 'array', items: value.filter((item) => typeof item === 'string') }
}

function readRecord(value: unknown): ParameterValue | undefined {
  if (!isJsonObject(value)) return undefined
  return mapOf(Object.entries(value))
}

function readItems(entryOf: (item: Record<string, unknown>) => [unknown, unknown]): ReadField {
  return (value) => (Array.isArray(value) ? mapOf(value.filter(isJsonObject).map(entryOf)) : undefined)
}

function imageEntry(item: Record<string, unknown>): [unknown, unknown] {
  const name = scalarText(item['name'])
  const { newName, newTag, digest } = item
  const image = {
    name,
    ...(newName !== undefined && { newName: scalarText(newName) }),
    ...(newTag !== undefined && { newTag: scalarText(newTag) }),
    ...(digest !== undefined && { digest: scalarText(digest) }),
  }
  return [name, imageText(image)]
}

function mapOf(pairs: ReadonlyArray<readonly [unknown, unknown]>): ParameterValue | undefined {
  const entries = new Map(pairs.map(([key, value]): MapEntry => [scalarText(key), scalarText(value)]))
  return entries.size === 0 ? undefined : { kind: 'map', entries: [...entries] }
}
