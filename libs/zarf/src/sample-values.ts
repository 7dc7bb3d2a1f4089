import { loadTemplateEngine } from '@wadi/gotemplate/template.ts'
import { resolve } from '@wadi/params/resolve.ts'
import type { Resolution } from '@wadi/params/resolve.ts'
import { toJson } from '@wadi/params/value-json.ts'
import { isValueMap } from '@wadi/params/value.ts'
import type { Value } from '@wadi/params/value.ts'
import { throwErrors } from './finding.ts'
import type { Finding } from './finding.ts'
import { openPackage } from './open-package.ts'
import type { PackageFiles } from './package-files.ts'
import { readSchema, readValuesLayers } from './package-values.ts'
import { valuesText } from './template-objects.ts'
import type { ZarfPackage } from './zarf-package.ts'

/** What samples and schemas are made for. */
export interface SampleOptions {
  /** Takes the place of package.create.flavor. */
  flavor?: string
}

/**
 * Returns the default values of a package and its imports, merged, as the text of a values file with sorted keys.
 *
 * @throws InvalidInputError when the package or one of its values files is wrong.
 */
export async function sampleValues(
  files: PackageFiles,
  folder: string,
  options: SampleOptions = {},
): Promise<string> {
  const { defaults } = await readDefaults(files, folder, options)
  const engine = await loadTemplateEngine()
  const text = engine.renderPackage({
    name: `values of ${folder}`,
    text: '{{ mustToYaml .Values }}\n',
    objects: `{"Values":${valuesText(defaults.tree)}}`,
    maximumBytes: MAXIMUM_SAMPLE,
  })
  return text
}

const MAXIMUM_SAMPLE = 4 * 1024 * 1024

/**
 * Returns a JSON Schema of draft 7 for the values of a package: its own schema, those of its imports merged into it, and
 * for everything that they say nothing of, the types of the default values.
 *
 * @throws InvalidInputError when the package, its values or its schemas are wrong.
 */
export async function valuesSchema(
  files: PackageFiles,
  folder: string,
  options: SampleOptions = {},
): Promise<Value> {
  const { defaults, zarfPackage } = await readDefaults(files, folder, options)
  const findings: Finding[] = []
  const written = await readSchema(files, zarfPackage, findings)
  throwErrors('the schema cannot be read', findings)
  const inferred = new Map<string, Value>([['$schema', DRAFT_7], ...entriesOf(inferSchema(defaults.tree))])
  return written === undefined ? inferred : complete(written.schema, inferred)
}

/** Returns a schema as the text of a file. */
export function schemaText(schema: Value): string {
  return `${JSON.stringify(toJson(schema), undefined, 2)}\n`
}

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'

async function readDefaults(
  files: PackageFiles,
  folder: string,
  { flavor }: SampleOptions,
): Promise<{ defaults: Resolution; zarfPackage: ZarfPackage }> {
  const findings: Finding[] = []
  const { package: zarfPackage, config } = await openPackage(files, folder, flavor, findings)
  const layers = await readValuesLayers(files, zarfPackage, config, {}, findings)
  throwErrors(`the package in ${folder === '' ? '.' : folder} has faults`, findings)
  const defaults = resolve(
    layers.filter(({ rank }) => rank === 0),
    'deep',
  )
  return { defaults, zarfPackage }
}

function entriesOf(value: Value): [string, Value][] {
  return isValueMap(value) ? [...value] : []
}

function inferSchema(value: Value): Value {
  if (isValueMap(value)) {
    return new Map<string, Value>([
      ['type', 'object'],
      ['properties', new Map([...value].map(([key, member]) => [key, inferSchema(member)]))],
    ])
  }
  if (Array.isArray(value)) {
    const members: readonly Value[] = value
    const kinds = [
      ...new Map(members.map((member) => [JSON.stringify(toJson(inferSchema(member))), member])).values(),
    ]
    const [first] = kinds
    const items: [string, Value][] =
      kinds.length === 1 && first !== undefined ? [['items', inferSchema(first)]] : []
    return new Map<string, Value>([['type', 'array'], ...items])
  }
  const type = scalarType(value)
  return new Map<string, Value>(type === undefined ? [] : [['type', type]])
}

/**
 * Returns the type of a scalar; undefined for null, which says nothing of what else may stand there. Zarf makes no
 * difference between integers and other numbers, so that 1 may become 1.5.
 */
function scalarType(value: Value): string | undefined {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  return value === null ? undefined : 'number'
}

/** Returns a schema with the properties that only the other one has; what it says itself stays. */
function complete(written: Value, inferred: Value): Value {
  if (!isValueMap(written) || !isValueMap(inferred)) {
    return written
  }
  const result = new Map(written)
  if (!['$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'type'].some((key) => written.has(key))) {
    const type = inferred.get('type')
    if (type !== undefined) {
      result.set('type', type)
    }
  }
  const properties = inferred.get('properties')
  const own = written.get('properties') ?? new Map<string, Value>()
  if (isValueMap(properties) && properties.size > 0 && isValueMap(own) && !written.has('$ref')) {
    const merged = new Map(own)
    for (const [key, schema] of properties) {
      const before = merged.get(key)
      merged.set(key, before === undefined ? schema : complete(before, schema))
    }
    result.set('properties', merged)
  }
  return result
}
