import type { Location } from '@wadi/errors/location.ts'
import { locatedAt, locatedMap, partOf } from '@wadi/params/values/located.ts'
import type { Path } from '@wadi/params/values/path.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located, Value } from '@wadi/params/values/value.ts'
import type {
  BlueprintResource,
  OutputName,
  StampOwner,
  ResourceInput,
} from '../read/cartographer-objects.ts'
import type { PathSubject } from '../paths/json-path.ts'
import { unsetFields } from '../select/owner-subject.ts'
import { WithheldOutput } from './resource-outputs.ts'
import type { ResourceOutputs } from './resource-outputs.ts'

/** The values that tags of a resource's template can name. */
interface ContextInputs {
  owner: StampOwner
  resource: BlueprintResource
  params: Resolution
  /** The outputs of the resources before this one, by name. */
  outputs: ReadonlyMap<string, ResourceOutputs>
  labels: ReadonlyMap<string, string>
}

/** A value, or why there is none. */
type InputField = [name: string, value: Located | WithheldOutput | undefined]

/**
 * Returns what Cartographer gives to a template: `workload` and `deliverable` (the owner, both), `params`, `sources`,
 * `images`, `configs` by input name, `source`, `image` and `config` where there is exactly one, `deployment` and `labels`.
 * Inputs of resources that come later are absent.
 */
export function templatingContext({ owner, resource, params, outputs, labels }: ContextInputs): PathSubject {
  const withheld = new Map<Value, ReadonlyMap<string, WithheldOutput>>()
  const { at } = resource
  const mapOf = (fields: readonly InputField[]): Located => {
    const parts = new Map<string, Located>()
    const findings = new Map<string, WithheldOutput>()
    for (const [name, value] of fields) {
      if (value instanceof WithheldOutput) findings.set(name, value)
      else if (value !== undefined) parts.set(name, value)
    }
    const map = locatedMap(parts, at)
    if (findings.size > 0) withheld.set(map.value, findings)
    return map
  }
  const outputOf = (input: ResourceInput, name: OutputName) => outputs.get(input.resource)?.get(name)
  const inputsOf = (inputs: readonly ResourceInput[], names: readonly OutputName[]): [string, Located][] =>
    inputs
      .filter((input) => names.some((name) => outputOf(input, name) !== undefined))
      .map((input) => {
        const fields = names.map((name): InputField => [name, outputOf(input, name)])
        return [input.name, mapOf([...fields, ['name', locatedAt(input.name, at)]])]
      })
  const sources = new Map(inputsOf(resource.sources, ['url', 'revision']))
  const images = new Map(inputsOf(resource.images, ['image']))
  const configs = new Map(inputsOf(resource.configs, ['config']))
  const deployment = { name: '', resource: resource.deployment ?? '' }
  const paramTree = paramsWithOrigin(params, at)
  const root = mapOf([
    ['workload', owner.located],
    ['deliverable', owner.located],
    ['params', paramTree],
    ['sources', locatedMap(sources, at)],
    ['images', locatedMap(images, at)],
    ['configs', locatedMap(configs, at)],
    ['deployment', inputsOf([deployment], ['url', 'revision'])[0]?.[1] ?? locatedAt(null, at)],
    ['labels', locatedAt(new Map(labels), at)],
    ['source', onlyOne(sources)],
    ['image', onlyField(resource.images, images, (input) => outputOf(input, 'image'))],
    ['config', onlyField(resource.configs, configs, (input) => outputOf(input, 'config'))],
  ])
  return {
    root,
    unset: unsetFields(owner),
    withheld,
    lists: new Map([[paramTree.value, paramList(paramTree)]]),
  }
}

function onlyOne(inputs: ReadonlyMap<string, Located>): Located | undefined {
  return inputs.size === 1 ? inputs.values().next().value : undefined
}

function onlyField(
  written: readonly ResourceInput[],
  present: ReadonlyMap<string, Located>,
  read: (input: ResourceInput) => Located | WithheldOutput | undefined,
): Located | WithheldOutput | undefined {
  if (present.size !== 1) return undefined
  const input = written.find(({ name }) => present.has(name))
  return input === undefined ? undefined : read(input)
}

/** Each parameter knows what decided it, and so does each part of it. */
function paramsWithOrigin(params: Resolution, at: Location): Located {
  const tree = params.located()
  const parts = new Map<string, Located>()
  for (const name of isValueMap(tree.value) ? tree.value.keys() : []) {
    const part = partOf(tree, name)
    if (part !== undefined) parts.set(name, withOrigin(part, [name], params))
  }
  return locatedMap(parts, at)
}

function withOrigin(part: Located, path: Path, params: Resolution): Located {
  const why = params.why(path)
  return {
    ...part,
    ...(part.parts !== undefined && {
      parts: new Map(
        Array.from(part.parts, ([key, member]) => [key, withOrigin(member, [...path, key], params)]),
      ),
    }),
    ...(why !== undefined && { derivedFrom: { step: `param ${path.join('.')}`, why } }),
  }
}

/** The parameters as RFC 0010 writes them in templates: a list of names and values. */
function paramList(params: Located): Located {
  const items = Array.from(params.parts ?? [], ([name, param]) =>
    locatedMap(
      new Map([
        ['name', locatedAt(name, param.at)],
        ['value', param],
      ]),
      param.at,
    ),
  )
  return {
    value: items.map((item) => item.value),
    at: params.at,
    parts: new Map(items.map((item, index) => [String(index), item])),
  }
}
