import { shortened } from '@wadi/errors/some-of.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { ValuePath } from '@wadi/params/values/set-name.ts'
import type { Value } from '@wadi/params/values/value.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { maxConfigFileBytes } from '../../../source/config-file.ts'
import type { ChartWithValues } from './chart-defaults.ts'
import { readChartSchemas, valueProblems } from './chart-schemas.ts'
import { type SchemaFacts, listedProperties, requiredProperties, schemaFacts } from './schema-facts.ts'
import { type SchemaPart, schemaParts } from './schema-parts.ts'
import { type ValueComments, valueComments } from './value-comments.ts'
import type { ValueNode } from './value-node.ts'

/** Longest explanation of one value, and of all together, in characters. */
const maxTooltipLength = 2000
const maxTooltips = 1024 * 1024

/** The facts that the schemas of a chart and the comments of its values say about its values. */
export interface ValueHints {
  /** Returns the facts about a value; the chart's own node says where it is written. */
  at(path: ValuePath, node: ValueNode | undefined): SchemaFacts
  isRequired(path: ValuePath): boolean
  /** Returns the keys that the schemas list below a value. */
  keysBelow(path: ValuePath): readonly string[]
  /** Returns the part of the schemas that lists them, equal for a place that refers back to one above it. */
  partsAt(path: ValuePath): readonly SchemaPart[]
  /** The problems of the present values by the names of these. */
  readonly problems: ReadonlyMap<string, string[]>
  /** Returns what the form does without, each a sentence. */
  warnings(): string[]
}

/**
 * Reads the hints of a chart and of its unpacked subcharts.
 * @param seen the values that the chart sees
 */
export async function readValueHints(
  tree: FileTree,
  root: ChartWithValues,
  seen: Value,
): Promise<ValueHints> {
  const { schemas, warnings } = await readChartSchemas(tree, root)
  const checked = await valueProblems(schemas, seen)
  const readers = schemas.map(({ above, file, schema }) => ({ above, file, parts: schemaParts(schema) }))
  const comments = await readComments(tree, root)
  let room = maxTooltips
  const partsAt = (path: ValuePath): readonly SchemaPart[] =>
    readers.flatMap(({ above, parts }) => (isBelow(path, above) ? parts.at(path.slice(above.length)) : []))
  const problems = Map.groupBy(checked.problems, ({ path }) => path.join('\0'))
  return {
    at: (path, node) => {
      const facts = schemaFacts(partsAt(path))
      const comment = commentOf(comments, path, node)
      const tooltip = shortened(facts.tooltip || comment, maxTooltipLength)
      room -= tooltip.length
      return { ...facts, tooltip: room < 0 ? '' : tooltip }
    },
    isRequired: (path) => requiredProperties(partsAt(path.slice(0, -1))).has(String(path.at(-1))),
    keysBelow: (path) => [...new Set(listedProperties(partsAt(path)))],
    partsAt,
    problems: new Map(Array.from(problems, ([name, found]) => [name, found.map(({ text }) => text)])),
    warnings: () => [
      ...warnings,
      ...checked.warnings,
      ...readers
        .filter(({ parts }) => parts.isCut())
        .map(
          ({ file }) =>
            `${file} is too large to be followed to every value; some fields have no types and limits of it`,
        ),
      ...(room < 0 ? ['the explanations of the values are very long; the last ones are left out'] : []),
    ],
  }
}

/** The comment where the value is written, else the one that another chart around it has by its name. */
function commentOf(comments: readonly FileComments[], path: ValuePath, node: ValueNode | undefined): string {
  const around = comments.filter(({ above }) => isBelow(path, above))
  const texts = around.map(({ file, above, comments: known }) =>
    known.at(path.slice(above.length), file === node?.origin.file ? (node?.origin.line ?? 0) : 0),
  )
  return texts.find((text) => text !== '') ?? ''
}

interface FileComments {
  readonly file: string
  readonly above: readonly string[]
  readonly comments: ValueComments
}

async function readComments(tree: FileTree, root: ChartWithValues): Promise<FileComments[]> {
  const found: FileComments[] = []
  const visit = async (chart: ChartWithValues, above: readonly string[]): Promise<void> => {
    const { file } = chart
    const values = await followPath(tree, file)
    if (values !== undefined && values.entry.kind !== 'directory') {
      const text = fileText(await tree.read(values.target, maxConfigFileBytes), file)
      found.push({ file, above, comments: valueComments(text) })
    }
    for (const subchart of chart.subcharts) await visit(subchart, [...above, subchart.name])
  }
  await visit(root, [])
  return found
}

function isBelow(path: ValuePath, above: readonly string[]): boolean {
  return above.every((key, depth) => path[depth] === key)
}
