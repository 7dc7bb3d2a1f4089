import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { inPath } from '@wadi/errors/with-context.ts'
import type { GeneratorEntry } from '../application-set.ts'
import { deepMerge } from '../params/deep-merge.ts'
import { goText } from '../params/go-text.ts'
import type { ParameterSet, ParameterValues } from '../params/parameter-set.ts'
import { childGenerators } from './child-generators.ts'
import type { GeneratorRun } from './generator-run.ts'

/**
 * Every combination of the parameter sets of two or more generators; each generator sees the values of those before it.
 * The default engine wants equal values for equal keys; for Go templates maps are merged and the earlier generator wins.
 * Argo CD takes two generators, nested once at most; more of either is Wadi's own.
 * @throws InvalidInputError
 */
export async function matrixParameters(
  fields: Record<string, unknown>,
  path: string,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const [first, ...others] = childGenerators(fields, path)
  if (!first || others.length === 0) {
    throw new InvalidInputError('found less than two generators, Matrix needs two or more')
  }
  let rows = await run.child(first, run.row)
  for (const child of others) {
    const combined: ParameterSet[] = []
    const [firstRow] = rows
    const sharedCells =
      firstRow && !hasTemplate(child.fields) ? await cellsOf(child, firstRow, run) : undefined
    if (sharedCells) run.budget.require(rows.length, sharedCells.length)
    for (const row of rows) {
      for (const cell of sharedCells ?? (await cellsOf(child, row, run))) {
        await run.pace()
        const origin = `${row.origin} and ${cell.origin}`
        const values = run.isGoTemplate
          ? deepMerge(row.values, cell.values)
          : combinedTexts(row.values, cell.values, origin)
        run.budget.add(combined, { origin, values })
      }
    }
    rows = combined
  }
  return rows
}

function cellsOf(child: GeneratorEntry, row: ParameterSet, run: GeneratorRun): Promise<ParameterSet[]> {
  return run.child(child, withRowAround(row, run))
}

/** True if the result of a generator may depend on the row before it. */
function hasTemplate(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => hasTemplate(key) || hasTemplate(item))
}

/** Returns the row that a generator sees: the one before it and, in a nested matrix, the one before that matrix. */
function withRowAround(row: ParameterSet, { row: around, isGoTemplate }: GeneratorRun): ParameterSet {
  if (!around) return row
  const values = isGoTemplate ? deepMerge(around.values, row.values) : { ...row.values, ...around.values }
  return { origin: `${around.origin} and ${row.origin}`, values }
}

function combinedTexts(
  row: Readonly<ParameterValues>,
  cell: Readonly<ParameterValues>,
  origin: string,
): ParameterValues {
  const texts = new Map(Object.entries(row).map(([key, value]) => [key, goText(value)]))
  for (const [key, value] of Object.entries(cell)) {
    const text = goText(value)
    const other = texts.get(key) ?? text
    if (other !== text) {
      const reason = `found duplicate key ${key} with different value, a: ${other} ,b: ${text}`
      throw inPath(origin, new InvalidInputError(reason))
    }
    texts.set(key, text)
  }
  return Object.fromEntries(texts)
}
