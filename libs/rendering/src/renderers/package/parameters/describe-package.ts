import { hiddenText } from '@wadi/params/explain/hidden-texts.ts'
import { partAt } from '@wadi/params/values/located.ts'
import type { Path } from '@wadi/params/values/path.ts'
import type { Provenance, Source } from '@wadi/params/values/value.ts'
import type { PackageVariable } from '@wadi/zarf/definition/zarf-package.ts'
import { type StoredParameter, storedParameter } from '../../../parameters/stored-values/value-changes.ts'
import { lineText, originAt } from '../../../parameters/stored-values/value-origin.ts'
import { isOwnFile, type PackageValues, valueName } from './package-values.ts'
import { type SchemaHint, schemaHints } from './schema-hints.ts'

/** Most values of a package that are listed. */
const maxValues = 20_000

/** The values, variables and constants of a package; a name with a dot in front is a value. */
export function storedPackageParameters(values: PackageValues): StoredParameter[] {
  return [...packageValues(values), ...packageVariables(values), ...packageConstants(values)]
}

/** The same as they are shown: without what is set for sensitive variables. */
export function shownPackageParameters(values: PackageValues): StoredParameter[] {
  const sensitive = new Set(
    values.package.variables.filter(({ isSensitive }) => isSensitive).map(({ name }) => name),
  )
  return storedPackageParameters(values).map((parameter) =>
    sensitive.has(parameter.name) && parameter.value !== undefined
      ? { ...parameter, value: { kind: 'string', text: hiddenText } }
      : parameter,
  )
}

function packageValues(values: PackageValues): StoredParameter[] {
  const hints = new Map(schemaHints(values.schema).map((hint) => [valueName(hint.path), hint]))
  const parameters = new Map<string, StoredParameter>()
  for (const { path, why } of values.values.leaves()) {
    if (parameters.size === maxValues) break
    const name = valueName(path)
    parameters.set(name, valueParameter(values, path, why, hints.get(name)))
  }
  const tree = values.values.located()
  const parents = new Set([...hints.values()].map(({ path }) => valueName(path.slice(0, -1))))
  for (const [name, hint] of hints) {
    if (parameters.has(name) || parents.has(name) || partAt(tree, hint.path) !== undefined) continue
    parameters.set(name, valueParameter(values, hint.path, undefined, hint))
  }
  return [...parameters.values()]
}

function valueParameter(
  values: PackageValues,
  path: Path,
  why: Provenance | undefined,
  hint: SchemaHint | undefined,
): StoredParameter {
  const { fallback, set } = defaultAndValue(why)
  const name = valueName(path)
  return storedParameter(
    name,
    { default: fallback?.value ?? undefined, value: set?.value, form: hint?.form },
    {
      title: hint?.title || name.slice(1),
      tooltip: hint?.description ?? '',
      group: 'values',
      required: hint?.required ?? false,
      options: [...(hint?.options ?? [])],
      announced: fallback !== undefined || hint !== undefined,
      ...origins(fallback, set),
    },
    fixedValue(values, name, set),
  )
}

/** Why a value cannot be set: an action sets it later, or the file that says it cannot be edited without losing its comments. */
function fixedValue(values: PackageValues, name: string, set: Source | undefined): string {
  const { package: zarfPackage, settings, config } = values
  const actions = settings.wantsActions
    ? zarfPackage.components.flatMap((component) => component.actions)
    : []
  const setter = actions.flatMap(({ setValues }) => setValues).find(({ key }) => key === name)
  if (setter !== undefined) return `the output of an action is its value (${lineText(setter.at)})`
  if (set?.at.file.endsWith('.toml')) return tomlReason(set.at.file)
  const hasValuesFile = config.valuesFiles.some(
    ({ path }) => /\.ya?ml$/.test(path) && isOwnFile(config, path),
  )
  return config.path.endsWith('.toml') && !hasValuesFile ? tomlReason(config.path) : ''
}

function packageVariables({ package: zarfPackage, config, variables }: PackageValues): StoredParameter[] {
  const declared = new Map(zarfPackage.variables.map((variable) => [variable.name, variable]))
  const names = new Set([...declared.keys(), ...config.variables.keys()])
  return [...names].map((name) => {
    const variable = declared.get(name)
    const { fallback, set } = defaultAndValue(variables.why([name]))
    return storedParameter(
      name,
      { default: fallback?.value, value: set?.value, form: { type: 'string', collection: 'string' } },
      {
        tooltip: variable === undefined ? '' : variableTooltip(variable),
        group: 'variables',
        required: variable?.isPrompted === true && !variable.hasValue,
        announced: variable !== undefined,
        ...origins(fallback, set),
      },
      config.path.endsWith('.toml') ? tomlReason(config.path) : '',
    )
  })
}

function variableTooltip({ description, pattern }: PackageVariable): string {
  return [description, pattern === '' ? '' : `It must match ${pattern}.`].filter(Boolean).join(' ')
}

function packageConstants({ package: { constants } }: PackageValues): StoredParameter[] {
  return constants.map(({ name, value, description, at }) =>
    storedParameter(
      name,
      { default: value, value: undefined, form: { type: 'string', collection: 'string' } },
      { tooltip: description, group: 'constants', defaultOrigin: originAt(at) },
      'it is a constant of the package, which its author sets in zarf.yaml',
    ),
  )
}

function tomlReason(file: string): string {
  return `${file} is TOML, which is edited by hand; a zarf-config.yaml can be edited here`
}

function defaultAndValue(why: Provenance | undefined): {
  fallback: Source | undefined
  set: Source | undefined
} {
  const sources = why === undefined ? [] : [why.winner, ...why.overridden]
  const [winner] = sources
  return {
    fallback: sources.find(({ kind }) => kind === 'default'),
    set: winner?.kind === 'value' ? winner : undefined,
  }
}

function origins(fallback: Source | undefined, set: Source | undefined) {
  return {
    ...(set && { origin: originAt(set.at) }),
    ...(fallback && { defaultOrigin: originAt(fallback.at) }),
  }
}
