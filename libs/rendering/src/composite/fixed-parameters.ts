import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { chartArgument } from '../helm/helm-arguments.ts'
import { shellCommand } from '../sandbox/shell-quote.ts'
import type { CompositeParameters } from './composite-plan.ts'

/**
 * The parameters of sources that have none of their own: where to look for values instead.
 * @param places says where the values are, as a sentence without its end
 */
export function fixedParameters(places: string): CompositeParameters {
  const message = (path: string): string => {
    const command = shellCommand(['wadi', 'explain', chartArgument(path)])
    return `${places}: edit them; \`${command}\` shows where each value is`
  }
  return {
    describe: async ({ inspection: { path } }) => ({ parameters: [], warnings: [message(path)] }),
    edit: async ({ inspection: { path } }) => {
      throw new InvalidInputError(`source "${path || '.'}": ${message(path)}`)
    },
  }
}
