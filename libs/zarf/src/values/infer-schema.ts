import { posix } from 'node:path'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import type { Path } from '@wadi/params/values/path.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Value, ValueMap } from '@wadi/params/values/value.ts'
import { overlaidAt, schemaAt, usableSchema, withoutPath } from './chart-schema.ts'
import { collectLater } from '../lint/finding.ts'
import type { Finding } from '../lint/finding.ts'
import { pathInRepository, readText } from '../definition/package-files.ts'
import type { PackageFiles } from '../definition/package-files.ts'
import { pathMapOf } from '../plan/path-map.ts'
import { readSchemaFile } from './read-schema-file.ts'
import type { Chart, ZarfPackage } from '../definition/zarf-package.ts'

/** Returns a schema with the types of a value. */
export function inferSchema(value: Value): ValueMap {
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

/**
 * Returns the schema of a package's values with what its charts say of those that are mapped to them: the types of the
 * charts' defaults where the package has none, and the charts' own schemas. Nothing is said of what a mapping excludes.
 */
export async function addCharts(
  files: PackageFiles,
  zarfPackage: ZarfPackage,
  schema: ValueMap,
  findings: Finding[],
): Promise<ValueMap> {
  const mapped: MappedSchema[] = []
  for (const chart of zarfPackage.components.flatMap(({ charts }) => charts)) {
    const step = (): Promise<MappedSchema[]> => readChart(files, zarfPackage.directory, chart)
    mapped.push(...((await collectLater(findings, chart.at, step)) ?? []))
  }
  const types = mapped.reduce<ValueMap>(
    (said, { sourcePath, defaults }) => overlaidAt(said, sourcePath, defaults),
    new Map(),
  )
  return mapped.reduce<ValueMap>(
    (said, { sourcePath, rules }) => overlaidAt(said, sourcePath, rules),
    overlaidAt(types, [], schema),
  )
}

/** A chart's rules for the values at a path of a package. */
interface MappedSchema {
  sourcePath: Path
  /** The types of the chart's defaults. */
  defaults: ValueMap
  /** The rules of the chart's own schema. */
  rules: ValueMap
}

async function readChart(files: PackageFiles, directory: string, chart: Chart): Promise<MappedSchema[]> {
  const entries =
    chart.localPath === '' ? undefined : await files.list(pathInRepository(directory, chart.localPath))
  if (entries === undefined || chart.values.length === 0) return []
  const has = (name: string): boolean => entries.some((entry) => entry.name === name && !entry.isDirectory)
  const place = (name: string): string => posix.join(chart.localPath, name)
  const valuesFile = pathInRepository(directory, place('values.yaml'))
  const types = has('values.yaml')
    ? inferSchema(
        readLocatedYaml(await readText(files, valuesFile), valuesFile, { rules: 'kubernetes' }).value,
      )
    : new Map<string, Value>()
  const rules = has('values.schema.json')
    ? usableSchema((await readSchemaFile(files, directory, place('values.schema.json'))).schema)
    : new Map<string, Value>()
  return chart.values.map(pathMapOf).map(({ sourcePath, targetPath, excludePaths = [] }) => {
    const excluded = excludePaths.map((path) => path.slice(sourcePath.length))
    const mapped = (schema: ValueMap): ValueMap =>
      excluded.reduce<ValueMap>(withoutPath, schemaAt(schema, targetPath) ?? new Map())
    return { sourcePath, defaults: mapped(types), rules: mapped(rules) }
  })
}
