import type { Location } from '@wadi/errors/location.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { locatedMap } from '@wadi/params/values/located.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { blueprintWord } from '../read/cartographer-objects.ts'
import type {
  Blueprint,
  BlueprintParam,
  BlueprintResource,
  StampOwner,
  OwnerParam,
  TemplateParam,
} from '../read/cartographer-objects.ts'

/** The result of an owner's parameter in one resource. */
type ParamOutcome =
  /** The resource sees it. */
  | 'used'
  /** The chain sets the value itself. */
  | 'fixed'
  /** A bare entry of the chain keeps the template's default. */
  | 'pinned'
  /** The chain does not list it. */
  | 'unlisted'
  /** The chain takes it under another name. */
  | 'renamed'
  /** One that is for this resource alone takes its place. */
  | 'shadowed'
  /** It is for another resource. */
  | 'elsewhere'

/** An owner's parameter and what became of it in one resource. */
export interface DecidedParam {
  param: OwnerParam
  outcome: ParamOutcome
  /** The place of the chain's decision, if fixed, pinned or renamed. */
  at?: Location
}

/** The parameters of one resource. */
interface ResourceParams {
  /** A tree of values by name, with what decided each. */
  resolution: Resolution
  /** One for each parameter of the owner. */
  decided: readonly DecidedParam[]
}

/** The inputs of a resource's parameters. */
interface ParamInputs {
  owner: StampOwner
  /** Trial values, which override the owner's. */
  trialParams: readonly OwnerParam[]
  blueprint: Blueprint
  resource: BlueprintResource
  templateParams: readonly TemplateParam[]
}

/** Returns an owner's parameters by name: of those with one name the last one applies, as in Cartographer. */
export function paramsByName(owner: Pick<StampOwner, 'params'>): Map<string, OwnerParam> {
  return new Map(owner.params.map((param) => [param.name, param]))
}

/**
 * Resolves the parameters of one resource in the order of RFC 0010: value of the chain, value of the workload, default of
 * the chain, default of the template. What the resource lists replaces what the chain lists under the same name, kind
 * included. A workload's `resource/param` reaches that resource alone.
 */
export function resolveResourceParams({
  owner,
  trialParams,
  blueprint,
  resource,
  templateParams,
}: ParamInputs): ResourceParams {
  const entries = new Map(blueprint.params.map((entry) => [entry.name, entry]))
  for (const entry of resource.params) entries.set(entry.name, entry)
  const supplied = supplyParams(owner, blueprint, resource, entries)
  const tried = supplyParams({ params: trialParams }, blueprint, resource, entries)
  const defaults = new Map(templateParams.map((param) => [param.name, param.default]))
  const pinnedDefaults = new Map<string, Located>()
  const supplies = [supplied.plain, supplied.scoped, tried.plain, tried.scoped]
  for (const name of supplied.closed.union(tried.closed)) {
    const pinned = defaults.get(name)
    if (pinned === undefined) {
      for (const params of supplies) params.delete(name)
    } else if (supplies.some((params) => params.has(name))) {
      pinnedDefaults.set(name, pinned)
      defaults.delete(name)
    }
  }
  const [word, ownerWord] = [blueprintWord(blueprint), owner.kind.toLowerCase()]
  const chainParams = blueprint.params.filter((entry) => entries.get(entry.name) === entry)
  const layers = [
    layer(0, 'tool', 'default', 'template default', defaults, resource.at),
    layer(1, 'operator', 'default', `${word} default`, entriesOf(chainParams, 'default'), blueprint.at),
    layer(1, 'operator', 'default', 'resource default', entriesOf(resource.params, 'default'), resource.at),
    layer(2, 'developer', 'value', `${ownerWord} param`, supplied.plain, owner.at),
    layer(2, 'developer', 'value', `${ownerWord} param`, supplied.scoped, owner.at),
    layer(2, 'developer', 'value', `${ownerWord} param to try out`, tried.plain, owner.at),
    layer(2, 'developer', 'value', `${ownerWord} param to try out`, tried.scoped, owner.at),
    layer(3, 'operator', 'value', `${word} value`, entriesOf(chainParams, 'value'), blueprint.at),
    layer(3, 'operator', 'value', 'resource value', entriesOf(resource.params, 'value'), resource.at),
    layer(3, 'tool', 'default', `template default, which the ${word} keeps`, pinnedDefaults, resource.at),
  ]
  return { resolution: resolve(layers, 'replace'), decided: [...supplied.decided, ...tried.decided] }
}

/** The parameters that an owner gives to a resource, by the names that the template knows. */
interface SuppliedParams {
  plain: Map<string, Located>
  /** The parameters for this resource only. */
  scoped: Map<string, Located>
  /** The names that an owner may set in vain: pinned by the chain or not listed. */
  closed: Set<string>
  decided: DecidedParam[]
}

function supplyParams(
  owner: Pick<StampOwner, 'params'>,
  blueprint: Blueprint,
  resource: BlueprintResource,
  entries: ReadonlyMap<string, BlueprintParam>,
): SuppliedParams {
  const supplied: SuppliedParams = { plain: new Map(), scoped: new Map(), closed: new Set(), decided: [] }
  const byName = paramsByName(owner)
  const resourceNames = new Set(blueprint.resources.map(({ name }) => name))
  const byWorkloadName = Map.groupBy(entries.values(), (entry) => entry.workloadParamName)
  const scope = `${resource.name}/`
  for (const param of byName.values()) {
    const listed = byWorkloadName.get(param.name)
    const slash = param.name.indexOf('/')
    const isScoped = listed === undefined && slash > 0 && resourceNames.has(param.name.slice(0, slash))
    if (isScoped && !param.name.startsWith(scope)) {
      supplied.decided.push({ param, outcome: 'elsewhere' })
      continue
    }
    const name = isScoped ? param.name.slice(scope.length) : param.name
    const own = entries.get(name)
    const targets = isScoped ? (own === undefined ? undefined : [own]) : listed
    const into = isScoped ? supplied.scoped : supplied.plain
    if (targets === undefined) {
      const isTaken = !isScoped && own !== undefined
      const isOpen = blueprint.allowsUndeclaredParams && !isTaken
      if (!isTaken) into.set(name, param.value)
      if (!isOpen && !isTaken) supplied.closed.add(name)
      supplied.decided.push(
        isTaken
          ? { param, outcome: 'renamed', at: own.at }
          : { param, outcome: isOpen ? 'used' : 'unlisted' },
      )
      continue
    }
    for (const entry of targets) {
      into.set(entry.name, param.value)
      if (entry.mode === 'pinned') supplied.closed.add(entry.name)
      supplied.decided.push(decidedBy(param, entry, !isScoped && byName.has(`${scope}${entry.name}`)))
    }
  }
  return supplied
}

function decidedBy(param: OwnerParam, entry: BlueprintParam, isShadowed: boolean): DecidedParam {
  if (entry.mode === 'value') return { param, outcome: 'fixed', at: entry.value?.at ?? entry.at }
  if (entry.mode === 'pinned') return { param, outcome: 'pinned', at: entry.at }
  return { param, outcome: isShadowed ? 'shadowed' : 'used' }
}

function entriesOf(entries: readonly BlueprintParam[], mode: BlueprintParam['mode']): Map<string, Located> {
  const values = new Map<string, Located>()
  for (const entry of entries)
    if (entry.mode === mode && entry.value !== undefined) values.set(entry.name, entry.value)
  return values
}

function layer(
  rank: Layer['rank'],
  owner: Layer['owner'],
  kind: Layer['kind'],
  label: string,
  values: ReadonlyMap<string, Located>,
  at: Location,
): Layer {
  return { rank, owner, kind, label, tree: locatedMap(values, at) }
}
