import { by } from '@wadi/order/by-name.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import type { Source } from '@wadi/params/values/value.ts'
import {
  type Blueprint,
  type BlueprintParam,
  blueprintWord,
  type StampOwner,
} from '@wadi/supply-chains/read/cartographer-objects.ts'
import { paramsByName } from '@wadi/supply-chains/params/resource-params.ts'
import { type StoredParameter, storedParameter } from '../../../parameters/stored-values/value-changes.ts'
import { lineText, originAt } from '../../../parameters/stored-values/value-origin.ts'

/** A workload or deliverable, its chain, and what decided the parameters of each resource of that. */
export interface RealisedOwner {
  readonly owner: StampOwner
  readonly blueprint: Blueprint
  readonly params: ReadonlyMap<string, Resolution>
  /** Texts that are not shown. */
  readonly hidden: readonly string[]
}

/** A parameter of a workload, and the workload. */
export interface OwnerParameter {
  readonly realised: RealisedOwner
  /** The name in the workload, without that of the workload in front. */
  readonly param: string
  readonly stored: StoredParameter
}

/** A parameter as one resource of a chain takes it. */
interface Taken {
  readonly resource: string
  /** The name that the template knows. */
  readonly name: string
  /** Undefined for one that the template has and the chain does not list. */
  readonly entry: BlueprintParam | undefined
}

/** The parameters of the workloads of a directory; of several workloads, each name begins with that of its workload and a colon. */
export function ownerParameters(all: readonly RealisedOwner[]): OwnerParameter[] {
  return all.flatMap((realised) => {
    const prefix = all.length > 1 ? `${ownerKey(realised, all)}:` : ''
    const taken = takenParams(realised)
    const own = [...paramsByName(realised.owner).keys()].filter((name) => !taken.has(name))
    const names = [...taken.keys(), ...own]
    return names.map((param) => ({
      realised,
      param,
      stored: describeParam(realised, param, taken.get(param) ?? [], prefix),
    }))
  })
}

/** Returns the key that distinguishes the workloads of one directory. */
export function ownerKey({ owner }: RealisedOwner, all: readonly RealisedOwner[]): string {
  const { kind, namespace, name } = owner
  const short = all.filter((other) => other.owner.name === name).length === 1
  return short ? name : [kind.toLowerCase(), namespace, name].filter(Boolean).join('/')
}

/** Returns the places where the resources of a chain take each parameter of a workload, by the name that workloads know. */
function takenParams({ blueprint, params }: RealisedOwner): Map<string, Taken[]> {
  const taken = new Map<string, Taken[]>()
  const add = (param: string, place: Taken) => taken.set(param, [...(taken.get(param) ?? []), place])
  for (const { name: resource, params: own } of blueprint.resources) {
    if (!params.has(resource)) continue
    const entries = new Map([...blueprint.params, ...own].map((entry) => [entry.name, entry]))
    for (const [name, entry] of entries) add(entry.workloadParamName, { resource, name, entry })
  }
  for (const [resource, resolution] of params) {
    for (const { path, why } of resolution.leaves()) {
      const [name = ''] = path
      const isKnown = taken.get(name)?.some((place) => place.resource === resource) === true
      const sources = [why.winner, ...why.overridden]
      const isListed = blueprint.params.some((entry) => entry.name === name) || isKnown
      if (
        !isListed &&
        sources.some(({ owner }) => owner === 'tool') &&
        !listedInResource(blueprint, resource, name)
      )
        add(name, { resource, name, entry: undefined })
    }
  }
  return taken
}

function listedInResource({ resources }: Blueprint, resource: string, name: string): boolean {
  return resources.some((each) => each.name === resource && each.params.some((entry) => entry.name === name))
}

function describeParam(
  realised: RealisedOwner,
  param: string,
  taken: readonly Taken[],
  prefix: string,
): StoredParameter {
  const { owner, params } = realised
  const set = paramsByName(owner).get(param)
  const places = taken.length > 0 ? taken : scopedPlace(realised, param)
  const fallback = places
    .flatMap(({ resource, name }) => defaultOf(params.get(resource), name) ?? [])
    .find(({ value }) => value !== undefined)
  const resources = [...new Set(places.map(({ resource }) => resource))].toSorted(by((name) => name))
  const fixedBecause = whyFixed(realised, param, taken)
  // What is set in vain does not apply, and the warnings of the source name it.
  const value = fixedBecause === '' ? set?.value : undefined
  return storedParameter(
    `${prefix}${param}`,
    { default: fallback?.value, value: value?.value },
    {
      title: param,
      tooltip: resources.length === 0 ? '' : `Used by: ${resources.join(', ')}.`,
      group: `${owner.kind.toLowerCase()} ${owner.name}`,
      announced: places.length > 0,
      ...(value && { origin: originAt(value.at) }),
      ...(fallback && { defaultOrigin: originAt(fallback.at) }),
    },
    fixedBecause,
  )
}

/** Returns the place that `resource/param` reaches: a parameter of one resource only. */
function scopedPlace({ blueprint }: RealisedOwner, param: string): Taken[] {
  const [resource = '', ...rest] = param.split('/')
  const name = rest.join('/')
  const own = blueprint.resources.find((each) => each.name === resource)
  const entry = [...(own?.params ?? []), ...blueprint.params].find((each) => each.name === name)
  return own !== undefined && entry !== undefined ? [{ resource, name, entry }] : []
}

function defaultOf(resolution: Resolution | undefined, name: string): Source | undefined {
  const why = resolution?.why([name])
  return why && [why.winner, ...why.overridden].find(({ owner }) => owner !== 'developer')
}

/** Why a workload cannot set a parameter; empty when it can. */
function whyFixed({ blueprint }: RealisedOwner, param: string, taken: readonly Taken[]): string {
  const chain = `${blueprintWord(blueprint)} ${JSON.stringify(blueprint.name)}`
  const entries = taken.flatMap(({ entry }) => entry ?? [])
  const isOpen = entries.some(({ mode }) => mode === 'default')
  if (isOpen || taken.length === 0) return ''
  const fixed = entries.find(({ mode }) => mode === 'value')
  if (fixed) return `${chain} fixes it (${lineText(fixed.value?.at ?? fixed.at)})`
  const [pinned] = entries
  if (pinned) return `${chain} keeps the default of its template (${lineText(pinned.at)})`
  return blueprint.allowsUndeclaredParams ? '' : unlisted(blueprint, param)
}

/** Why a parameter that a chain does not list cannot be set. */
export function unlisted(blueprint: Blueprint, param: string): string {
  const chain = `${blueprintWord(blueprint)} ${JSON.stringify(blueprint.name)}`
  return `${chain} does not list ${param}, so only its operators can set it (${lineText(blueprint.at)})`
}

/** True if a workload may set a parameter that it does not set yet and that is not described. */
export function takesUnknown(realised: RealisedOwner, param: string): boolean {
  return realised.blueprint.allowsUndeclaredParams || scopedPlace(realised, param).length > 0
}
