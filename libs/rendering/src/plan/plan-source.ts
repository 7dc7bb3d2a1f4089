import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { OriginOf } from '../source/option-origin.ts'
import { optionNames } from '../source/source-options.ts'
import { InputCollector } from '@wadi/file-trees/input-collector.ts'
import type { Plan } from './plan.ts'
import type { PlannedSource, Renderer } from './renderer.ts'

/**
 * Plans a source by the first renderer that takes it.
 * @throws InvalidInputError if none does, and for what the renderers find wrong
 */
export async function planSource(
  source: Omit<PlannedSource, 'inputs'>,
): Promise<{ plan: Plan; inputs: InputCollector }> {
  for (const renderer of source.renderers) {
    const inputs = new InputCollector(source.trace)
    const plan = await renderer.plan({ ...source, inputs })
    if (plan !== undefined) return { plan, inputs }
  }
  const names = source.renderers.map(({ name }) => name).join(', ')
  throw new InvalidInputError(
    `source "${source.path || '.'}" is rendered by none of ${names}; correct its path`,
  )
}

/**
 * The renderer whose options a source has; none if it has no options.
 * @param originOf tells where options are written, for errors
 * @throws InvalidInputError for options of several, with the place of the last
 */
export function namedRenderer(
  path: string,
  options: Readonly<Record<string, unknown>>,
  renderers: readonly Renderer[],
  originOf: OriginOf,
): string[] {
  const named = optionNames(renderers).filter((name) => options[name] !== undefined)
  if (named.length <= 1) return named
  const places = named.flatMap((name) => originOf([name]) ?? [])
  const inFile = places.filter(({ file }) => file !== '')
  throw new InvalidInputError(
    `source "${path || '.'}" has options of several renderers: ${named.join(', ')}; keep one`,
    { at: inFile.at(-1) },
  )
}
