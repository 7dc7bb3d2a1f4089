import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/**
 * The variables of Argo CD's build environment that no dry commit decides, which an operator lets a plugin have: by name,
 * with the value of those that the operator fixes.
 */
export type GrantedVariables = ReadonlyMap<GrantedName, string>

/** A variable that a plugin gets only if its operator grants it. */
export type GrantedName = (typeof grantedNames)[number]

const applicationNames = ['ARGOCD_APP_NAME', 'ARGOCD_APP_NAMESPACE', 'ARGOCD_APP_PROJECT_NAME'] as const
const clusterNames = ['KUBE_VERSION', 'KUBE_API_VERSIONS'] as const

/** All of them: those of the Application, and those of its cluster. */
export const grantedNames = [...applicationNames, ...clusterNames] as const

const maxValueBytes = 64 * 1024

/**
 * Reads `ARGOCD_APP_NAME`, whose value is the Application's, or `KUBE_VERSION=1.34.0`: no cluster is asked, so what its
 * variables say is fixed.
 * @throws InvalidInputError for another variable, one without the value that it needs or with one that it cannot have
 */
export function readGrantedVariable(text: string): [name: GrantedName, value: string] {
  const [written = '', value] = text.split(/=(.*)/s)
  const name = grantedNames.find((known) => known === written)
  if (name === undefined) {
    throw new InvalidInputError(
      `${JSON.stringify(written)} is not a variable that a plugin can receive; expected one of ${grantedNames.join(', ')}`,
    )
  }
  const isFixed = clusterNames.some((known) => known === name)
  if (isFixed && !value) {
    const example = name === 'KUBE_VERSION' ? '1.34.0' : 'v1,apps/v1'
    throw new InvalidInputError(`${name} needs a value, because no cluster is read: ${name}=${example}`)
  }
  if (!isFixed && value !== undefined) {
    throw new InvalidInputError(`${name} takes no value, because the Application decides it: ${name}`)
  }
  if ((value?.length ?? 0) > maxValueBytes || value?.includes('\0') === true) {
    throw new InvalidInputError(`the value of ${name} is larger than 64 KiB or has a NUL character`)
  }
  return [name, value ?? '']
}

/** The text that `readGrantedVariable` reads. */
export function grantedVariableText([name, value]: readonly [GrantedName, string]): string {
  return value === '' ? name : `${name}=${value}`
}

/**
 * Reads which plugin is given which variables: `helm-app=ARGOCD_APP_NAME,ARGOCD_APP_NAMESPACE;other=KUBE_VERSION=1.34.0`.
 * @throws InvalidInputError for another form, a plugin that comes twice, and what `readGrantedVariable` throws
 */
export function readPluginVariables(text: string): Map<string, GrantedVariables> {
  const plugins = new Map<string, GrantedVariables>()
  const entries = text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  for (const entry of entries) {
    const [plugin = '', listed = ''] = entry.split(/=(.*)/s).map((part) => part.trim())
    if (!/^[\w.+-]+$/.test(plugin) || listed === '') {
      throw new InvalidInputError(
        `${JSON.stringify(entry)} is not of the form plugin=VARIABLE,VARIABLE; separate plugins with ";"`,
      )
    }
    if (plugins.has(plugin)) throw new InvalidInputError(`plugin ${plugin} comes twice; keep one`)
    // The list of API versions has commas of its own.
    const variables = listed.split(/[\s,]+(?=[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:=|,|\s|$))/)
    plugins.set(plugin, new Map(variables.map((variable) => readGrantedVariable(variable.trim()))))
  }
  return plugins
}

/** Returns the advice for an operator who wants to let a plugin have variables. */
export function grantAdvice(plugin: string, names: readonly string[]): string {
  const given = names.map((name) => (clusterNames.some((known) => known === name) ? `${name}=…` : name))
  const them = names.length === 1 ? 'it' : 'them'
  return `to set ${them}, give repo-server --plugin-variables "${plugin}=${given.join(',')}" (WADI_PLUGIN_VARIABLES), or write "variables: [${given.join(', ')}]" below spec in the plugin's file`
}
