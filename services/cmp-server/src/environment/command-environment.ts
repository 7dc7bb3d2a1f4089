import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { type RunParameters, parameterVariables } from './parameter-environment.ts'
import { type RequestVariables, type EnvironmentVariable, variableBytes } from './request-variables.ts'

/** Above this a value is only in the file: Linux allows 128 KiB with the name, and tools want some room. */
const maxExportedBytes = 120 * 1024

const maxEnvironmentBytes = 1024 * 1024

/** The environment of a command, what it does not have, and why. */
export interface CommandEnvironment {
  readonly variables: ReadonlyMap<string, string>
  /** Own names of parameters that are not given because they are taken or reserved. */
  readonly skipped: readonly string[]
  /** Warnings for the user. */
  readonly warnings: readonly string[]
}

/**
 * The environment of a plugin's commands. What comes later overrides what comes before: the service's variables, the
 * parameters under their own names, `PARAM_…`, `ARGOCD_PARAM_…`, `ARGOCD_APP_PARAMETERS…`, and then what else the request
 * has. It is bounded: the parameters' own names go first, then `PARAM_…`; the file has them all.
 * @param service without what configures the service itself
 * @throws InvalidInputError when even the rest is larger than 1 MiB
 */
export function commandEnvironment(
  service: ReadonlyMap<string, string>,
  request: RequestVariables,
  run: RunParameters | undefined,
): CommandEnvironment {
  const made = run && parameterVariables(run, (name) => service.get(name) ?? request.others.get(name))
  const unprefixed = made?.unprefixed ?? []
  const prefixed = [...request.prefixed]
    .map(([name, value]) => ({ name, value }))
    .concat(made?.prefixed ?? [])
  const rest = [...(made?.named ?? []), ...(made?.whole ?? [])]
  const large = new Set([...prefixed, ...rest].filter((variable) => !fits(variable)).map(({ name }) => name))
  const warnings = large.size === 0 ? [] : [tooLarge([...large])]
  const attempts = [
    { given: [...unprefixed, ...prefixed], leftOut: undefined },
    { given: prefixed, leftOut: 'under their own names' },
    { given: [], leftOut: 'under their own names and as PARAM_ variables' },
  ]
  for (const { given, leftOut } of attempts) {
    const variables = new Map([...service, ...entries([...given, ...rest].filter(fits)), ...request.others])
    if (environmentBytes(variables) > maxEnvironmentBytes) continue
    if (leftOut !== undefined) warnings.push(leftOutText(leftOut))
    return { variables, skipped: made?.skipped ?? [], warnings }
  }
  throw new InvalidInputError(
    "the environment of the plugin's commands is larger than 1 MiB even without the parameters: send fewer or smaller variables",
  )
}

function fits({ name, value }: EnvironmentVariable): boolean {
  return variableBytes(name, value) <= maxExportedBytes
}

function leftOutText(how: string): string {
  return `the parameters take more than the 1 MiB of an environment: the plugin does not get them ${how}; the file ARGOCD_APP_PARAMETERS_FILE has them all`
}

function tooLarge(names: readonly string[]): string {
  return `larger than 120 KiB and so not among the variables, only in the file ARGOCD_APP_PARAMETERS_FILE: ${someInLine(names, 10)}`
}

function entries(variables: readonly EnvironmentVariable[]): [string, string][] {
  return variables.map(({ name, value }) => [name, value])
}

function environmentBytes(variables: ReadonlyMap<string, string>): number {
  let bytes = 0
  for (const [name, value] of variables) bytes += variableBytes(name, value)
  return bytes
}
