import type { Blueprint, BlueprintResource, StampOwner, Template } from '../read/cartographer-objects.ts'

/**
 * Returns the labels that every stamped object carries. Unlike Cartographer, the name of the template is there for
 * options too.
 */
export function stampLabels(
  owner: StampOwner,
  blueprint: Blueprint,
  resource: BlueprintResource,
  template: Template,
): ReadonlyMap<string, string> {
  const ownerWord = owner.kind.toLowerCase()
  const blueprintLabel = blueprint.kind === 'ClusterSupplyChain' ? 'supply-chain-name' : 'delivery-name'
  const labels = new Map([
    [`carto.run/${ownerWord}-name`, owner.name],
    [`carto.run/${blueprintLabel}`, blueprint.name],
    ['carto.run/resource-name', resource.name],
    ['carto.run/template-kind', template.kind],
    ['carto.run/cluster-template-name', template.name],
    ['carto.run/template-lifecycle', template.lifecycle],
  ])
  if (owner.namespace !== '') labels.set(`carto.run/${ownerWord}-namespace`, owner.namespace)
  return labels
}
