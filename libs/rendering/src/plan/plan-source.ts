import { InvalidInputError } from '@wadi/errors/domain-error.ts'
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
 * @throws InvalidInputError for options of several
 */
export function namedRenderer(
  path: string,
  options: Readonly<Record<string, unknown>>,
  renderers: readonly Renderer[],
): string[] {
  const named = optionNames(renderers).filter((name) => options[name] !== undefined)
  if (named.length <= 1) return named
  throw new InvalidInputError(
    `source "${path || '.'}" has options of several renderers: ${named.join(', ')}; keep one`,
  )
}
