import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import { finderOf } from '@wadi/plugins/announcements/same-parameter.ts'
import type { Parameter } from '@wadi/plugins/parameters/parameter.ts'
import { prefixedVariables, unprefixedVariables } from '@wadi/plugins/parameters/parameter-variables.ts'
import { parametersByGroupJson } from '@wadi/plugins/parameters/parameters-json.ts'
import type { EnvironmentVariable } from './request-variables.ts'
import { isReservedName } from './variable-names.ts'

/** The parameters of a run. */
export interface RunParameters {
  readonly parameters: readonly Parameter[]
  /** `ARGOCD_APP_PARAMETERS`. */
  readonly text: string
  /** A file that holds the same text. */
  readonly file: string
  /** The known announcements of the plugin. */
  readonly announcements: readonly Announcement[]
  /** Returns true if a parameter may have a variable of this name without a prefix. */
  readonly mayName: (variable: string) => boolean
}

/** The variables of a run's parameters; of one name the last one applies. */
interface ParameterVariables {
  readonly unprefixed: readonly EnvironmentVariable[]
  readonly prefixed: readonly EnvironmentVariable[]
  /** `ARGOCD_PARAM_…`, as announcements ask for. */
  readonly named: readonly EnvironmentVariable[]
  /** `ARGOCD_APP_PARAMETERS` and what goes with it. */
  readonly whole: readonly EnvironmentVariable[]
  /** Own names of parameters that are taken or reserved. */
  readonly skipped: readonly string[]
}

/**
 * Makes the variables of a run's parameters.
 * @param existing the value that another variable of that name has
 */
export function parameterVariables(
  run: RunParameters,
  existing: (name: string) => string | undefined,
): ParameterVariables {
  const unprefixed: EnvironmentVariable[] = []
  const skipped = new Set<string>()
  for (const { name, value } of unprefixedVariables(run.parameters)) {
    if (!run.mayName(name)) continue
    const other = existing(name)
    if (other === undefined && !isReservedName(name)) unprefixed.push({ name, value })
    else if (other !== value) skipped.add(name)
  }
  return {
    unprefixed,
    prefixed: prefixedVariables(run.parameters),
    named: namedVariables(run),
    whole: [
      { name: 'ARGOCD_APP_PARAMETERS', value: run.text },
      { name: 'ARGOCD_APP_PARAMETERS_BY_GROUP', value: parametersByGroupJson(run.parameters) },
      { name: 'ARGOCD_APP_PARAMETERS_FILE', value: run.file },
    ],
    skipped: [...skipped],
  }
}

/**
 * The arguments `--<name>=<value>` of the parameters whose announcements ask for it: one for each item of a list or map.
 * @throws InvalidInputError for one with a NUL character, which no argument can hold
 */
export function parameterArguments({
  parameters,
  announcements,
}: Pick<RunParameters, 'parameters' | 'announcements'>): string[] {
  const { find } = finderOf(announcements)
  return parameters.flatMap((parameter) => {
    if (find(parameter)?.asArgument !== true) return []
    const { name, string, array = [], map = [] } = parameter
    const entries = map.map(([key, value]) => `${key}=${value}`)
    const values = [...(string === undefined ? [] : [string]), ...array, ...entries]
    return values.map((value) => argument(name, `--${name}=${value}`))
  })
}

function namedVariables({ parameters, announcements }: RunParameters): EnvironmentVariable[] {
  const { find } = finderOf(announcements)
  return parameters.flatMap((parameter) => {
    const envVar = find(parameter)?.envVar ?? ''
    if (envVar === '') return []
    // The parameter stands in under a name of one letter, which has one variable name only.
    return prefixedVariables([{ ...parameter, name: 'X' }]).map(({ name, value }) => ({
      name: `ARGOCD_PARAM_${envVar}${name.slice('PARAM_X'.length)}`,
      value,
    }))
  })
}

function argument(name: string, text: string): string {
  if (!text.includes('\0')) return text
  throw new InvalidInputError(`the argument of parameter ${JSON.stringify(name)} has a NUL character`)
}
