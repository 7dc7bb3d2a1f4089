import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'
import type { GeneratorEntry } from '../application-set.ts'
import { type ParameterSet, listParameters } from './list-generator.ts'

/** What a generator yields. */
export interface Generated {
  parameters: ParameterSet[]
  /** The generator's own template; what it sets goes before that of the ApplicationSet. */
  template: Record<string, unknown> | undefined
}

/**
 * Runs one generator of an ApplicationSet.
 * @throws InvalidInputError naming the generator and where it stands
 */
export function runGenerator({ path, fields }: GeneratorEntry, isGoTemplate: boolean): Generated {
  for (const [kind, value] of Object.entries(fields)) {
    if (kind !== 'list' && value !== undefined && value !== null) {
      throw new InvalidInputError(
        `${path}.${kind}: generators of the kind "${kind}" are not supported; use list`,
      )
    }
  }
  const list = fields['list'] ?? undefined
  if (list === undefined) throw new InvalidInputError(`${path} names no generator; use list`)
  const parameters = listParameters(list, `${path}.list`, isGoTemplate)
  const template = isRecord(list) ? (list['template'] ?? undefined) : undefined
  if (template !== undefined && !isRecord(template))
    throw new InvalidInputError(`${path}.list.template has to be a map`)
  return { parameters, template }
}
