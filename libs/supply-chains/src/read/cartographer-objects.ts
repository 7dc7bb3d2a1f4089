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
export interface Owner {
  kind: OwnerKind
  name: string
  /** Empty when the object names none. */
  namespace: string
  labels: ReadonlyMap<string, string>
  params: readonly OwnerParam[]
  /** The whole object. */
  located: Located
  /** What is wrong with the object; nothing is stamped for it while there is any. */
  findings: Findings
  at: Location
}

/** A parameter that a chain, or one of its resources, lists. */
export interface BlueprintParam {
  name: string
  /**
   * Who decides: `value` the chain, `default` the workload and then the chain, `pinned` the template alone, which is what
   * an entry with neither field means (RFC 0010, case 1).
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

/** One of several templates of a resource, or an input that is handed on in place of a template's output. */
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
  /** Whether the selector is sound; of one that is not nobody can say whom it selects. */
  hasKnownSelector: boolean
  params: readonly BlueprintParam[]
  resources: readonly BlueprintResource[]
  /** Whether workloads may set parameters that the chain does not list. */
  allowsUndeclaredParams: boolean
  /** What is wrong with the chain; an error of every owner that it selects. */
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

/** What an object stamped from a template hands to other resources. */
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
  /** Whether what is stamped belongs to the hydrated manifests; annotation `wadi.dev/emit: "false"` says no. */
  isEmitted: boolean
  /** What is wrong with the template; an error of every owner whose chain uses it. */
  findings: Findings
  at: Location
}

/** Returns what messages and warnings call a blueprint, for example `supply chain`. */
export function blueprintWord(blueprint: Pick<Blueprint, 'kind'>): string {
  return blueprint.kind === 'ClusterSupplyChain' ? 'supply chain' : 'delivery'
}
