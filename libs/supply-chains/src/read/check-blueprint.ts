import type { Location } from '@wadi/errors/location.ts'
import { byKey } from '@wadi/order/by-name.ts'
import type { Blueprint, BlueprintResource, ResourceInput, TemplateOption } from './cartographer-objects.ts'
import { requirementCount, selectorFindings } from '../select/selector.ts'
import type { OwnerKind, Selector } from '../select/selector.ts'

/** Resources of a chain. */
const maxResources = 200

type Refuse = (at: Location, message: string) => void

/** Refuses what Cartographer's admission refuses in the selector of a chain or delivery, in its words. */
export function checkSelector(
  { kind, selector }: Pick<Blueprint, 'kind' | 'selector'>,
  refuse: (message: string) => void,
): void {
  if (requirementCount(selector) === 0) {
    refuse('at least one selector, selectorMatchExpression, selectorMatchField must be specified')
  }
  const names = { labels: 'selector', expressions: 'selectorMatchExpressions' }
  for (const finding of selectorFindings(selector, ownerKindOf(kind), names)) refuse(finding)
}

function ownerKindOf(kind: Blueprint['kind']): OwnerKind {
  return kind === 'ClusterSupplyChain' ? 'Workload' : 'Deliverable'
}

/** Refuses what Cartographer's admission refuses in the resources of a chain or delivery; every finding is reported. */
export function checkBlueprint(blueprint: Blueprint, specAt: Location, refuse: Refuse): void {
  const { kind, resources } = blueprint
  const owner = ownerKindOf(kind)
  if (resources.length > maxResources) refuse(specAt, `spec.resources may have ${maxResources} items`)
  const byName = new Map<string, BlueprintResource>()
  for (const [index, resource] of resources.entries()) {
    if (!byName.has(resource.name)) byName.set(resource.name, resource)
    else if (kind === 'ClusterSupplyChain')
      refuse(resource.at, `duplicate resource name [${resource.name}] found`)
    else refuse(resource.at, `spec.resources[${index}].name "${resource.name}" cannot appear twice`)
  }
  for (const resource of resources) {
    checkOptions(resource, owner, refuse)
    checkPassThrough(resource, kind, refuse)
    if (kind === 'ClusterSupplyChain') checkInputs(resource, byName, refuse)
    else checkDeployment(resource, refuse)
  }
}

function checkOptions(resource: BlueprintResource, owner: OwnerKind, refuse: Refuse): void {
  const { templateName, options, at } = resource
  const refuseHere: (message: string) => void = (message) =>
    refuse(at, `error validating resource [${resource.name}]: ${message}`)
  const needed = 'exactly one of templateRef.Name or templateRef.Options must be specified'
  if (templateName !== '' && options.length > 0) refuseHere(`${needed}, found both`)
  if (templateName === '' && options.length === 0) refuseHere(`${needed}, found neither`)
  if (templateName === '' && options.length === 1)
    refuseHere('templateRef.Options must have more than one option')
  const passThroughs = options.filter((option) => option.passThrough !== '').length
  if (passThroughs > 1) refuseHere(`cannot have more than one pass through option, found ${passThroughs}`)
  const names = new Set<string>()
  const bySelector = new Map<string, TemplateOption>()
  for (const option of options) {
    const { name, passThrough, selector } = option
    if ((name === '') === (passThrough === '')) {
      const found = name === '' ? 'neither' : 'both'
      refuseHere(`exactly one of option.Name or option.PassThrough must be specified, found ${found}`)
    }
    if (name !== '' && names.has(name)) {
      refuse(at, `duplicate template name [${name}] found in options for resource [${resource.name}]`)
    }
    names.add(name)
    for (const finding of optionFindings(selector, owner)) {
      refuseHere(`error validating option [${optionName(option)}] selector: ${finding}`)
    }
    const text = selectorText(selector)
    const twin = bySelector.get(text)
    if (twin === undefined) bySelector.set(text, option)
    else if (twin.name !== name) {
      refuseHere(`duplicate selector found in options [${optionName(twin)}, ${optionName(option)}]`)
    }
  }
}

function optionName(option: TemplateOption): string {
  return option.name || 'passThrough'
}

function optionFindings(selector: Selector, owner: OwnerKind): string[] {
  if (requirementCount(selector) === 0) {
    return ['at least one of matchLabels, matchExpressions or MatchFields must be specified']
  }
  return selectorFindings(selector, owner, { labels: 'matchLabels', expressions: 'matchExpressions' })
}

/** Two selectors with the same text ask for the same; the order of labels does not matter. */
function selectorText({ matchLabels, matchExpressions, matchFields }: Selector): string {
  const labels = Array.from(matchLabels).toSorted(byKey)
  return JSON.stringify([labels, matchExpressions, matchFields])
}

function checkPassThrough(resource: BlueprintResource, kind: Blueprint['kind'], refuse: Refuse): void {
  for (const { passThrough } of resource.options) {
    if (passThrough === '') continue
    const inputs = passableInputs(resource, kind)
    const finding =
      inputs === undefined
        ? `TemplateRef.Kind [${resource.templateKind}] is not a known type`
        : `pass through [${passThrough}] does not refer to a known input`
    if (inputs === undefined || !inputs.some((input) => input.name === passThrough)) {
      refuse(resource.at, `error validating resource [${resource.name}]: ${finding}`)
    }
  }
}

/** Returns the inputs that a resource may hand on, undefined when its kind of template has no output. */
function passableInputs(
  resource: BlueprintResource,
  kind: Blueprint['kind'],
): readonly ResourceInput[] | undefined {
  switch (resource.templateKind) {
    case 'ClusterSourceTemplate':
      return resource.sources
    case 'ClusterConfigTemplate':
      return resource.configs
    case 'ClusterImageTemplate':
      return kind === 'ClusterSupplyChain' ? resource.images : undefined
    default:
      return undefined
  }
}

function checkInputs(
  resource: BlueprintResource,
  byName: ReadonlyMap<string, BlueprintResource>,
  refuse: Refuse,
): void {
  const fields = [
    ['sources', resource.sources, 'ClusterSourceTemplate'],
    ['images', resource.images, 'ClusterImageTemplate'],
    ['configs', resource.configs, 'ClusterConfigTemplate'],
  ] as const
  for (const [field, inputs, kind] of fields) {
    for (const input of inputs) {
      const provider = byName.get(input.resource)
      const where = `invalid ${field} for resource [${resource.name}]`
      if (provider === undefined) {
        refuse(resource.at, `${where}: [${input.name}] is provided by unknown resource [${input.resource}]`)
      } else if (provider.templateKind !== kind) {
        const finding = `resource [${provider.name}] providing [${input.name}] must reference a ${kind}`
        refuse(resource.at, `${where}: ${finding}`)
      }
    }
  }
}

function checkDeployment(
  { name, templateKind, deployment, configs, at }: BlueprintResource,
  refuse: Refuse,
): void {
  const isDeployment = templateKind === 'ClusterDeploymentTemplate'
  if (isDeployment && deployment === undefined) {
    refuse(at, `spec.resources[${name}] is a ClusterDeploymentTemplate and must receive a deployment`)
  }
  if (!isDeployment && deployment !== undefined) {
    refuse(at, `spec.resources[${name}] receives a deployment but is not a ClusterDeploymentTemplate`)
  }
  if (isDeployment && configs.length > 0) {
    refuse(at, `spec.resources[${name}] is a ClusterDeploymentTemplate and must not receive config`)
  }
}
