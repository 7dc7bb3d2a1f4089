import type { Location } from '@wadi/errors/location.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { Findings } from '../findings.ts'
import type { OwnerKind, Selector } from '../select/selector.ts'

/** A parameter that a workload or deliverable sets. */
export interface OwnerParam {
  name: string
  value: Located
  at: Location
}

/** A `Workload` or `Deliverable`: what a developer writes to have objects stamped. */
export interface StampOwner {
  kind: OwnerKind
  name: string
  /** Empty when the object names none. */
  namespace: string
  labels: ReadonlyMap<string, string>
  params: readonly OwnerParam[]
  /** The whole object. */
  located: Located
  /** The errors of the object; nothing is stamped for it while there is any. */
  findings: Findings
  at: Location
}

/** A parameter that a chain, or one of its resources, lists. */
export interface BlueprintParam {
  name: string
  /**
   * The place that decides: `value` the chain, `default` the workload and then the chain, `pinned` only the template,
   * which an entry with neither field means (RFC 0010, case 1).
   */
  mode: 'value' | 'default' | 'pinned'
  /** Undefined when pinned. */
  value: Located | undefined
  /** The name that workloads know the parameter by. */
  workloadParamName: string
  at: Location
}

/** An input of a resource and the resource whose output it is. */
export interface ResourceInput {
  name: string
  resource: string
}

/** One of several templates of a resource, or an input that is passed on instead of a template's output. */
export interface TemplateOption {
  /** Empty when the option passes an input through. */
  name: string
  /** Empty when the option names a template. */
  passThrough: string
  selector: Selector
}

/** A step of a chain. */
export interface BlueprintResource {
  name: string
  templateKind: string
  /** Empty when there are options. */
  templateName: string
  options: readonly TemplateOption[]
  params: readonly BlueprintParam[]
  sources: readonly ResourceInput[]
  images: readonly ResourceInput[]
  configs: readonly ResourceInput[]
  /** The resource that a deployment comes from; deliveries alone have one. */
  deployment: string | undefined
  at: Location
}

/** A `ClusterSupplyChain` or `ClusterDelivery`: what operators write to say which templates are stamped with what. */
export interface Blueprint {
  kind: 'ClusterSupplyChain' | 'ClusterDelivery'
  name: string
  selector: Selector
  /** True if the selector is valid; otherwise its owners are unknown. */
  hasKnownSelector: boolean
  params: readonly BlueprintParam[]
  resources: readonly BlueprintResource[]
  /** True if workloads may set parameters that the chain does not list. */
  allowsUndeclaredParams: boolean
  /** The errors of the chain, which are errors of every owner that it selects. */
  findings: Findings
  at: Location
}

/** The kinds of templates that an object is stamped from. */
export type TemplateKind =
  | 'ClusterTemplate'
  | 'ClusterSourceTemplate'
  | 'ClusterImageTemplate'
  | 'ClusterConfigTemplate'
  | 'ClusterDeploymentTemplate'

/** An output that an object stamped from a template gives to other resources. */
export type OutputName = 'url' | 'revision' | 'image' | 'config'

/** A place in a stamped object where an output is read. */
export interface OutputPath {
  name: OutputName
  /** The field of the template that holds the path, for example `imagePath`. */
  field: string
  path: string
  at: Location
}

/** A default that a template has for a parameter. */
export interface TemplateParam {
  name: string
  default: Located
}

/** A template of any kind. */
export interface Template {
  kind: TemplateKind
  name: string
  params: readonly TemplateParam[]
  /** The object to stamp; undefined for a ytt template. */
  template: Located | undefined
  /** The text of a ytt template. */
  ytt: { text: string; at: Location } | undefined
  outputs: readonly OutputPath[]
  lifecycle: string
  /** True if stamped objects belong to the hydrated manifests; false by the annotation `wadi.dev/emit: "false"`. */
  isEmitted: boolean
  /** The errors of the template, which are errors of every owner whose chain uses it. */
  findings: Findings
  at: Location
}

/** Returns what messages and warnings call a blueprint, for example `supply chain`. */
export function blueprintWord(blueprint: Pick<Blueprint, 'kind'>): string {
  return blueprint.kind === 'ClusterSupplyChain' ? 'supply chain' : 'delivery'
}
