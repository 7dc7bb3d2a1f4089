import { InvalidInputError, ResourceExhaustedError, errorMessage } from '@wadi/errors/domain-error.ts'
import { someOf } from '@wadi/errors/some-of.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { fromJson } from '@wadi/params/values/value-json.ts'
import type { Value } from '@wadi/params/values/value.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath, parentPath } from '@wadi/file-trees/repository-path.ts'
import { checkSchemaReferences } from '../schema-references.ts'
import type { ChartWithValues } from './chart-defaults.ts'
import { valueAt } from './value-steps.ts'

/** Largest schema of values that is read, and all of a chart with its subcharts, in bytes. */
const maxSchemaBytes = 4 * 1024 * 1024
const maxAllBytes = 8 * 1024 * 1024

/** The longest time of a processor for checking the values of a chart with all its schemas, in milliseconds. */
const maxCheckMs = 1000

/** Most warnings about schemas of one chart. */
const maxWarnings = 20

/** The `values.schema.json` of a chart, or of one of its subcharts. */
export interface ChartSchema {
  /** The keys of its values in those of the chart above all. */
  readonly above: readonly string[]
  readonly file: string
  readonly schema: JsonValue
}

/** Reads the schemas of a chart and its subcharts; a warning says of one that cannot be read why the form is without it. */
export async function readChartSchemas(
  tree: FileTree,
  root: ChartWithValues,
): Promise<{ schemas: ChartSchema[]; warnings: string[] }> {
  const schemas: ChartSchema[] = []
  const warnings: string[] = []
  let bytesLeft = maxAllBytes
  const visit = async (chart: ChartWithValues, above: readonly string[]): Promise<void> => {
    const file = childPath(parentPath(chart.file), 'values.schema.json')
    try {
      const found = await readSchemaFile(tree, file)
      bytesLeft -= found?.bytes ?? 0
      if (bytesLeft < 0)
        throw new ResourceExhaustedError(
          `the schemas of the chart and its subcharts have more than ${maxAllBytes} bytes`,
          { at: { file } },
        )
      if (found !== undefined) schemas.push({ above, file, schema: parsedSchema(found.text, file) })
    } catch (error) {
      if (!isOfSchema(error)) throw error
      warnings.push(`the form does without the chart's schema: ${errorMessage(error)}`)
    }
    for (const subchart of chart.subcharts) await visit(subchart, [...above, subchart.name])
  }
  await visit(root, [])
  return { schemas, warnings: someOf(warnings, maxWarnings) }
}

/**
 * Reads a schema of values; undefined if there is none.
 * @throws InvalidInputError for a text that is not JSON, and for references out of the schema
 * @throws ResourceExhaustedError for one of more than 4 MiB
 */
export async function readSchema(tree: FileTree, path: string): Promise<JsonValue | undefined> {
  const found = await readSchemaFile(tree, path)
  return found && parsedSchema(found.text, path)
}

async function readSchemaFile(
  tree: FileTree,
  path: string,
): Promise<{ text: string; bytes: number } | undefined> {
  const found = await followPath(tree, path)
  if (found === undefined || found.entry.kind === 'directory') return undefined
  const content = await tree.read(found.target, maxSchemaBytes)
  return { text: fileText(content, path), bytes: content.length }
}

function parsedSchema(text: string, path: string): JsonValue {
  checkSchemaReferences(text, path)
  const schema: JsonValue = JSON.parse(text)
  return schema
}

/** Something that a schema says is wrong with the values. */
export interface ValueProblem {
  /** Positions in lists are text. */
  readonly path: readonly string[]
  readonly text: string
}

/** Checks the values that a chart sees with its schemas; a warning says which of these is wrong itself, or takes too long. */
export async function valueProblems(
  schemas: readonly ChartSchema[],
  seen: Value,
): Promise<{ problems: ValueProblem[]; warnings: string[] }> {
  const problems: ValueProblem[] = []
  const warnings: string[] = []
  if (schemas.length === 0) return { problems, warnings }
  // The validator is loaded for charts that have a schema.
  const { validate } = await import('@wadi/params/schema/schema.ts')
  const begin = process.threadCpuUsage()
  for (const { above, file, schema } of schemas) {
    const values = valueAt(seen, above) ?? new Map()
    const { user, system } = process.threadCpuUsage(begin)
    const maxMilliseconds = Math.ceil(maxCheckMs - (user + system) / 1000)
    try {
      if (maxMilliseconds <= 0)
        throw new ResourceExhaustedError(
          `checking the schemas of the chart and its subcharts takes longer than ${maxCheckMs} ms`,
          { at: { file } },
        )
      const options = { skipRequired: false, where: file, maxMilliseconds }
      for (const { path, message } of validate(fromJson(schema), values, options)) {
        const name = path.length === 0 ? '(root)' : path.join('.')
        const text = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message
        problems.push({ path: [...above, ...path], text })
      }
    } catch (error) {
      if (!isOfSchema(error)) throw error
      warnings.push(`the values are not checked here: ${errorMessage(error)}`)
    }
  }
  return { problems, warnings: someOf(warnings, maxWarnings) }
}

function isOfSchema(error: unknown): boolean {
  return error instanceof InvalidInputError || error instanceof ResourceExhaustedError
}
