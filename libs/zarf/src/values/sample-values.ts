import { templateWorkers } from '@wadi/engines/templates/template-workers.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Value } from '@wadi/params/values/value.ts'
import { throwErrors } from '../lint/finding.ts'
import type { Finding } from '../lint/finding.ts'
import { openPackage } from '../definition/open-package.ts'
import type { PackageFiles } from '../definition/package-files.ts'
import { addCharts, inferSchema } from './infer-schema.ts'
import { readSchema, readValuesLayers } from './package-values.ts'
import { valuesText } from '../templates/template-objects.ts'
import type { ZarfPackage } from '../definition/zarf-package.ts'

/** The options of samples and schemas. */
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
  directory: string,
  options: SampleOptions = {},
): Promise<string> {
  const { defaults } = await readDefaults(files, directory, options)
  return await templateWorkers().renderPackage({
    name: `values of ${directory}`,
    text: '{{ mustToYaml .Values }}\n',
    objects: `{"Values":${valuesText(defaults.tree)}}`,
    maxBytes: maxSampleBytes,
  })
}

const maxSampleBytes = 4 * 1024 * 1024

/**
 * Returns a JSON Schema for the values of a package: its own schema, those of its imports merged into it; for everything
 * that they say nothing of, what the schemas of charts say of the values that are mapped to them; and for the rest the types
 * of the default values, those of charts among them. Charts that are archives or not in git add nothing.
 *
 * @throws InvalidInputError when the package, its values or its schemas are wrong.
 */
export async function valuesSchema(
  files: PackageFiles,
  directory: string,
  options: SampleOptions = {},
): Promise<Value> {
  const { defaults, zarfPackage } = await readDefaults(files, directory, options)
  const findings: Finding[] = []
  const written = await readSchema(files, zarfPackage, findings)
  const inferred = await addCharts(files, zarfPackage, inferSchema(defaults.tree), findings)
  throwErrors('the schema cannot be read', findings)
  const schema = written === undefined ? inferred : complete(written.schema, inferred)
  return new Map<string, Value>([['$schema', draft7], ...entriesOf(schema)])
}

/** Returns a schema as the text of a file. */
export function schemaText(schema: Value): string {
  return `${JSON.stringify(toJson(schema), undefined, 2)}\n`
}

const draft7 = 'http://json-schema.org/draft-07/schema#'

async function readDefaults(
  files: PackageFiles,
  directory: string,
  { flavor }: SampleOptions,
): Promise<{ defaults: Resolution; zarfPackage: ZarfPackage }> {
  const findings: Finding[] = []
  const { package: zarfPackage, config } = await openPackage(files, directory, flavor, findings)
  const layers = await readValuesLayers(files, zarfPackage, config, {}, findings)
  throwErrors(`the package in ${directory === '' ? '.' : directory} has errors`, findings)
  const defaults = resolve(
    layers.filter(({ rank }) => rank === 0),
    'deep',
  )
  return { defaults, zarfPackage }
}

function entriesOf(value: Value): [string, Value][] {
  return isValueMap(value) ? [...value] : []
}

/** Returns a schema with everything that only the other one has; what it says itself stays. */
function complete(written: Value, inferred: Value): Value {
  if (!isValueMap(written) || !isValueMap(inferred) || written.has('$ref')) {
    return written
  }
  const result = new Map(written)
  const hasOwnType = ['allOf', 'anyOf', 'oneOf', 'enum', 'const'].some((key) => written.has(key))
  for (const [key, value] of inferred) {
    const own = written.get(key)
    if (key === 'properties') {
      const properties = completeProperties(own, value)
      if (properties !== undefined) result.set(key, properties)
    } else if (key === 'items') {
      result.set(key, own === undefined ? value : complete(own, value))
    } else if (own === undefined && !(key === 'type' && hasOwnType)) {
      result.set(key, value)
    }
  }
  return result
}

function completeProperties(own: Value = new Map(), inferred: Value): Value | undefined {
  if (!isValueMap(inferred) || inferred.size === 0 || !isValueMap(own)) return undefined
  const merged = new Map(own)
  for (const [key, schema] of inferred) {
    const before = merged.get(key)
    merged.set(key, before === undefined ? schema : complete(before, schema))
  }
  return merged
}
