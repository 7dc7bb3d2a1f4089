import { jsonText } from '@wadi/params/values/value-json.ts'
import { Float, isValueMap } from '@wadi/params/values/value.ts'
import type { Located, Value, ValueMap } from '@wadi/params/values/value.ts'
import { locatedList, mapOfEntries, withParts } from '../definition/located-tree.ts'
import type { ComposedPackage } from '../definition/imports.ts'
import type { ResolvedVariables } from './variables.ts'

/** The objects that templates of a package see, each as JSON. */
export interface TemplateObjects {
  values: string
  variables: string
  constants: string
  state: string
  /** The value of `.Pkg`; undefined if a template does not see it. */
  package: string | undefined
}

/** Returns the JSON of all that a template sees. */
export function objectsText(objects: TemplateObjects): string {
  const entries = [
    `"Values":${objects.values}`,
    `"Variables":${objects.variables}`,
    `"Constants":${objects.constants}`,
    `"State":${objects.state}`,
    ...(objects.package === undefined ? [] : [`"Pkg":${objects.package}`]),
  ]
  return `{${entries.join(',')}}`
}

/** Returns a tree of values as JSON in which infinite numbers are numbers beyond all floats. */
export function valuesText(value: Value): string {
  return isFinite(value) ? jsonText(value) : extendedText(value)
}

function isFinite(value: Value): boolean {
  if (value instanceof Float) {
    return Number.isFinite(value.value)
  }
  if (isValueMap(value)) {
    return value.values().every(isFinite)
  }
  return !Array.isArray(value) || value.every(isFinite)
}

function extendedText(value: Value): string {
  if (value instanceof Float && !Number.isFinite(value.value)) {
    return Number.isNaN(value.value) ? 'null' : `${value.value < 0 ? '-' : ''}1e999`
  }
  if (isValueMap(value)) {
    return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}:${extendedText(member)}`).join(',')}}`
  }
  if (Array.isArray(value)) {
    return `[${value.map(extendedText).join(',')}]`
  }
  return jsonText(value)
}

/** Returns variables or constants as JSON. */
export function variablesText(variables: ResolvedVariables): string {
  return jsonText(new Map([...variables.values()].map(({ name, value }) => [name, value])))
}

/** Returns the state of a cluster as JSON. */
export function stateText(state: ValueMap): string {
  return jsonText(state)
}

/** Returns a package definition, its imports resolved. */
export function composedTree(tree: Located, composed: ComposedPackage, architecture: string): Located {
  const metadata: Located = { value: architecture, at: tree.at }
  const { parts } = tree
  const own = parts?.get('metadata')
  const values = parts?.get('values')
  return withParts(tree, [
    ['build', undefined],
    ['components', locatedList(composed.components, tree.at)],
    ['variables', locatedList(composed.variables, tree.at)],
    ['constants', locatedList(composed.constants, tree.at)],
    ['metadata', withParts(own ?? mapOfEntries([], tree.at), [['architecture', metadata]])],
    [
      'values',
      withParts(values ?? mapOfEntries([], tree.at), [['files', locatedList(composed.valuesFiles, tree.at)]]),
    ],
  ])
}
