import type { Location } from '@wadi/errors/location.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { Blueprint, StampOwner, Template, TemplateKind } from './cartographer-objects.ts'
import { Findings, placeOf } from '../findings.ts'
import { readBlueprint } from './read-blueprint.ts'
import { readOwner } from './read-owner.ts'
import { readTemplate } from './read-template.ts'
import type { OwnerKind } from '../select/selector.ts'

/** The only version of Cartographer's objects, and the group of all. */
const cartographerVersion = 'carto.run/v1alpha1'
const cartographerGroup = 'carto.run/'

const ownerKinds: readonly OwnerKind[] = ['Workload', 'Deliverable']
const blueprintKinds: readonly Blueprint['kind'][] = ['ClusterSupplyChain', 'ClusterDelivery']
const templateKinds: readonly TemplateKind[] = [
  'ClusterTemplate',
  'ClusterSourceTemplate',
  'ClusterImageTemplate',
  'ClusterConfigTemplate',
  'ClusterDeploymentTemplate',
]

/** Cartographer's objects among the documents of a repository. */
export interface CartographerObjects {
  /** The objects to stamp, which developers write. */
  owners: readonly StampOwner[]
  blueprints: readonly Blueprint[]
  templates: readonly Template[]
  /** The documents that are none of these. */
  others: readonly Located[]
}

/** The author of an object of Cartographer. */
type CartographerRole = 'developer' | 'operator'

/**
 * Returns who writes objects of a document's kind, developers (`Workload`, `Deliverable`) or operators (chains, deliveries,
 * templates); undefined for every other document. All versions of the group are recognised, so that one that is not supported is reported.
 */
export function cartographerRole(document: Located): CartographerRole | undefined {
  if (!textAt(document, 'apiVersion').startsWith(cartographerGroup)) return undefined
  const kind = textAt(document, 'kind')
  if (ownerKinds.some((known) => known === kind)) return 'developer'
  return [...blueprintKinds, ...templateKinds].some((known) => known === kind) ? 'operator' : undefined
}

/**
 * Reads the objects of carto.run that hydration knows, with the checks that Cartographer's admission makes; another version
 * than v1alpha1 is a finding. An object with findings is there like any other: they are reported when it is used, so that a bad
 * chain or template is not an error of those that have nothing to do with it.
 */
export function readCartographerObjects(documents: readonly Located[]): CartographerObjects {
  const owners: StampOwner[] = []
  const blueprints: Blueprint[] = []
  const templates: Template[] = []
  const others: Located[] = []
  for (const document of documents) {
    if (cartographerRole(document) === undefined) {
      others.push(document)
      continue
    }
    const kind = textAt(document, 'kind')
    const findings = new Findings()
    const name = nameOf(document, kind, findings)
    const version = textAt(document, 'apiVersion')
    if (version !== cartographerVersion) {
      const { at } = partOf(document, 'apiVersion') ?? document
      findings.add(at, `${kind} [${name}]: only ${cartographerVersion} is read, not ${version}`)
    }
    const ownerKind = ownerKinds.find((known) => known === kind)
    const blueprintKind = blueprintKinds.find((known) => known === kind)
    const templateKind = templateKinds.find((known) => known === kind)
    if (ownerKind !== undefined) owners.push(readOwner(document, ownerKind, name, findings))
    if (blueprintKind !== undefined) blueprints.push(readBlueprint(document, blueprintKind, name, findings))
    if (templateKind !== undefined) templates.push(readTemplate(document, templateKind, name, findings))
  }
  const firsts = new Map<string, FindingyObject>()
  for (const object of [...blueprints, ...templates])
    refuseTwin(object, `${object.kind} [${object.name}]`, firsts)
  for (const owner of owners) refuseTwin(owner, `${owner.kind} [${owner.namespace}/${owner.name}]`, firsts)
  return { owners, blueprints, templates, others }
}

interface FindingyObject {
  at: Location
  findings: Findings
}

/** Reports on both of two objects with one title that it is undecided which of them applies. */
function refuseTwin(object: FindingyObject, title: string, firsts: Map<string, FindingyObject>): void {
  const first = firsts.get(title)
  if (first === undefined) {
    firsts.set(title, object)
    return
  }
  const message = (other: FindingyObject) =>
    `${title} is written twice, the other one is at ${placeOf(other.at)}`
  object.findings.add(object.at, message(first))
  first.findings.add(first.at, message(object))
}

function nameOf(document: Located, kind: string, findings: Findings): string {
  const metadata = partOf(document, 'metadata')
  const name = metadata === undefined ? '' : textAt(metadata, 'name')
  if (name === '') findings.add(metadata?.at ?? document.at, `${kind}: metadata.name is required`)
  return name
}

function textAt(located: Located, key: string): string {
  const value = isValueMap(located.value) ? located.value.get(key) : undefined
  return typeof value === 'string' ? value : ''
}
