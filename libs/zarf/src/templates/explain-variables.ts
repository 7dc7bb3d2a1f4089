import type { Location } from '@wadi/errors/location.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import { mapOfEntries } from '../definition/located-tree.ts'
import type { ResolvedVariables } from './variables.ts'
import type { SetText } from '../definition/zarf-config.ts'
import type { ZarfPackage } from '../definition/zarf-package.ts'

/** The places in which the variables of a package may be written. */
interface VariableInputs {
  package: ZarfPackage
  /** `package.deploy.set` of the configuration. */
  configured: ReadonlyMap<string, SetText>
  /** The operator's values. */
  given: ReadonlyMap<string, SetText>
  /** The variables as they are in the end. */
  resolved: ResolvedVariables
}

/** Returns the variables of a package, by name, with what decided each: the output of an action wins over all others. */
export function explainVariables({
  package: zarfPackage,
  configured,
  given,
  resolved,
}: VariableInputs): Resolution {
  const defaults = zarfPackage.variables.filter(({ hasValue }) => hasValue)
  const written = new Set<Location>(
    [...zarfPackage.variables, ...configured.values(), ...given.values()].map(({ at }) => at),
  )
  const computed = [...resolved.values()].filter(({ at }) => !written.has(at))
  const at = { file: zarfPackage.tree.at.file }
  return resolve(
    [
      layer(0, 'tool', 'variable default', byName(defaults), at),
      layer(2, 'developer', 'package.deploy.set', configured, at),
      layer(3, 'operator', 'Render spec.package.variables', given, at),
      layer(3, 'tool', 'output of an action', byName(computed), at),
    ],
    'replace',
  )
}

/** Returns the constants of a package, by name, with the place of each. */
export function explainConstants({ constants, tree }: ZarfPackage): Resolution {
  return resolve([layer(0, 'tool', 'constant', byName(constants), { file: tree.at.file })], 'replace')
}

/**
 * Returns the texts of sensitive variables that are not shown: all that are set and the contents of files. A default is shown, as Zarf
 * does, since everybody who has the package can read it.
 */
export function sensitiveTexts({
  package: zarfPackage,
  configured,
  given,
  resolved,
}: VariableInputs): string[] {
  const { variables, components } = zarfPackage
  const sets = components.flatMap(({ actions }) => actions).flatMap(({ setVariables }) => setVariables)
  const names = new Set(
    [...variables, ...sets].filter(({ isSensitive }) => isSensitive).map(({ name }) => name),
  )
  const defaults = new Set(variables.map(({ at }) => at))
  const texts = [...names].flatMap((name) => {
    const { value, content, at } = resolved.get(name) ?? {}
    const isDefault = at === undefined || defaults.has(at)
    return [
      configured.get(name)?.value,
      given.get(name)?.value,
      isDefault ? undefined : value,
      isDefault && content === value ? undefined : content,
    ]
  })
  return [...new Set(texts.filter((text) => text !== undefined))]
}

function byName(entries: readonly ({ name: string } & SetText)[]): Map<string, SetText> {
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function layer(
  rank: Layer['rank'],
  owner: Layer['owner'],
  label: string,
  texts: ReadonlyMap<string, SetText>,
  place: Location,
): Layer {
  const parts = Array.from(texts, ([name, { value, at, derivedFrom }]) => {
    return [name, derivedFrom === undefined ? { value, at } : { value, at, derivedFrom }] as const
  })
  return { rank, owner, kind: rank === 0 ? 'default' : 'value', label, tree: mapOfEntries(parts, place) }
}
