import { blueprintWord } from '../read/cartographer-objects.ts'
import type { Blueprint, StampOwner } from '../read/cartographer-objects.ts'
import { placeOf } from '../findings.ts'
import { paramsByName } from './resource-params.ts'
import type { DecidedParam } from './resource-params.ts'

/**
 * Returns a sentence for each parameter of an owner that has no effect, in all resources or in some, and why.
 * `byResource` holds what became of the parameters by the name of the resource.
 */
export function ignoredParamWarnings(
  owner: StampOwner,
  blueprint: Blueprint,
  byResource: ReadonlyMap<string, readonly DecidedParam[]>,
): string[] {
  const [word, ownerWord] = [blueprintWord(blueprint), owner.kind.toLowerCase()]
  const chain = `${word} ${JSON.stringify(blueprint.name)}`
  const last = paramsByName(owner)
  const selecting = selectingParams(owner, blueprint)
  const warnings = owner.params
    .filter((param) => last.get(param.name) !== param)
    .map(
      (param) =>
        `${ownerWord} param ${JSON.stringify(param.name)} (${placeOf(param.at)}) ignored: it is set again below`,
    )
  const params = Array.from(byResource).flatMap(([resource, all]) => all.map((one) => ({ ...one, resource })))
  for (const [param, own] of Map.groupBy(params, (one) => one.param)) {
    const subject = `${ownerWord} param ${JSON.stringify(param.name)} ignored`
    const isUsed = own.some(({ outcome }) => outcome === 'used')
    const decided = own.filter(({ outcome }) => outcome === 'fixed' || outcome === 'pinned')
    for (const [place, group] of Map.groupBy(decided, ({ at }) => placeOf(at ?? param.at))) {
      const names = Array.from(new Set(group.map(({ resource }) => JSON.stringify(resource))))
      const where = isUsed ? ` in resource ${names.join(', ')}` : ''
      const how = group[0]?.outcome === 'fixed' ? 'fixes it' : "pins it to the template's default"
      warnings.push(`${subject}${where}: ${chain} ${how} (${place})`)
    }
    if (isUsed || decided.length > 0 || selecting.has(param.name)) continue
    warnings.push(`${subject}: ${whyUnused(own, chain)} (${placeOf(renamedAt(own) ?? param.at)})`)
  }
  return warnings
}

/** The parameters of an owner that a selector looks at, of the chain or of an option in it. */
function selectingParams(owner: StampOwner, blueprint: Blueprint): Set<string> {
  const options = blueprint.resources.flatMap((resource) => resource.options)
  const keys = [blueprint, ...options]
    .flatMap(({ selector }) => selector.matchFields.map(({ key }) => key))
    .filter((key) => key.includes('spec.params'))
  const isNamed = (key: string, { name }: StampOwner['params'][number], index: number): boolean =>
    key.includes(`spec.params[${index}]`) || key.includes(`"${name}"`) || key.includes(`'${name}'`)
  return new Set(
    keys
      .flatMap((key) => owner.params.filter((param, index) => isNamed(key, param, index)))
      .map(({ name }) => name),
  )
}

function renamedAt(params: readonly DecidedParam[]): DecidedParam['at'] {
  return params.find(({ outcome }) => outcome === 'renamed')?.at
}

function whyUnused(params: readonly DecidedParam[], chain: string): string {
  if (renamedAt(params) !== undefined) return `${chain} takes it under another name`
  if (params.some(({ outcome }) => outcome === 'shadowed'))
    return 'every resource that takes it has one of its own'
  if (params.every(({ outcome }) => outcome === 'elsewhere')) return 'its resource stamps nothing'
  return `${chain} does not list it`
}
