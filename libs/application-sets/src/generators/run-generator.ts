import {
  DomainError,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
} from '@wadi/errors/domain-error.ts'
import { inPath } from '@wadi/errors/with-context.ts'
import { mustBe } from '@wadi/fields/field-findings.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { invalidField } from '../invalid-field.ts'
import type { GeneratorEntry } from '../application-set.ts'
import { flatParameters } from '../params/flat-parameters.ts'
import { readSelector } from '../params/parameter-selector.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import { generatorKinds } from './generator-kinds.ts'
import type { GeneratorRun } from './generator-run.ts'
import { interpolatedGenerator } from './interpolated-generator.ts'

/** The result of one generator. */
export interface Generated {
  parameters: ParameterSet[]
  /** The generator's own template; what it sets goes before that of the ApplicationSet. */
  template: Record<string, unknown> | undefined
}

/**
 * Runs a generator of the set; one with several kinds yields something for each.
 * @throws InvalidInputError naming the generator and where it stands
 */
export async function runGenerator(entry: GeneratorEntry, run: GeneratorRun): Promise<Generated[]> {
  const generated: Generated[] = []
  const kinds = kindsOf(entry)
  if (kinds.length === 0) throw invalidField(entry.path, 'names no generator')
  for (const [kind, fields] of kinds) {
    const template = fields['template'] ?? undefined
    if (template !== undefined && !isJsonObject(template)) {
      throw invalidField(`${entry.path}.${kind}.template`, mustBe('object', template))
    }
    generated.push({ parameters: await runKind(entry, kind, fields, run), template })
  }
  return generated
}

/**
 * Runs a generator inside of another one, which has to be of one kind, after it was rendered with the row before it.
 * @throws InvalidInputError naming the generator and where it stands
 */
export async function runChildGenerator(entry: GeneratorEntry, run: GeneratorRun): Promise<ParameterSet[]> {
  const rendered = run.row ? await interpolatedGenerator(entry, run.row, run) : entry
  const [first, ...others] = kindsOf(rendered)
  if (others.length > 0)
    throw inPath(entry.path, new InvalidInputError('found more than one generator in matrix.Generators'))
  if (!first) {
    throw invalidField(entry.path, 'names no generator: child generator generated no parameters')
  }
  const [kind, fields] = first
  return runKind(rendered, kind, fields, run)
}

function kindsOf({ path, fields }: GeneratorEntry): [string, Record<string, unknown>][] {
  return [...generatorKinds.keys()].flatMap((kind): [string, Record<string, unknown>][] => {
    const value = fields[kind] ?? undefined
    if (value === undefined) return []
    if (!isJsonObject(value)) throw invalidField(`${path}.${kind}`, mustBe('object', value))
    return [[kind, value]]
  })
}

async function runKind(
  entry: GeneratorEntry,
  kind: string,
  fields: Record<string, unknown>,
  run: GeneratorRun,
): Promise<ParameterSet[]> {
  const path = `${entry.path}.${kind}`
  await run.pace()
  run.budget.run(path)
  try {
    const parameters = (await generatorKinds.get(kind)?.generate(fields, path, { ...run, kind })) ?? []
    const selector = entry.fields['selector'] ?? undefined
    if (selector === undefined) return parameters
    const { matches } = readSelector(selector, `${entry.path}.selector`)
    const selected: ParameterSet[] = []
    for (const set of parameters) {
      await run.pace()
      if (matches(flatParameters(set.values))) selected.push(set)
    }
    return selected
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const placed = inPath(path, error)
    // That a repository, revision or file is not there says nothing of the ApplicationSet.
    throw placed instanceof NotFoundError ? placed.as(FailedPreconditionError) : placed
  }
}
