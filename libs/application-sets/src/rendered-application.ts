import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ApplicationSet } from './application-set.ts'
import type { GeneratorRun } from './generators/generator-run.ts'
import type { ParameterValues } from './params/parameter-set.ts'
import { renderStrings } from './templates/render-strings.ts'
import { applyTemplatePatch, readTemplatePatch } from './templates/template-patch.ts'

type Fields = Record<string, unknown>

const finalizer = 'resources-finalizer.argocd.argoproj.io'
const metadataFields = ['name', 'labels', 'annotations', 'finalizers']

/**
 * The Application of one parameter set: the template rendered, the default finalizer, the patch. A patch never changes
 * the project, and an Application is always in the namespace of its set.
 * @throws InvalidInputError for a template that cannot be rendered or an Application that cannot be one
 */
export async function renderedApplication(
  set: ApplicationSet,
  template: Fields,
  values: Readonly<ParameterValues>,
  { engine, urlPolicy }: Pick<GeneratorRun, 'engine' | 'urlPolicy'>,
): Promise<Resource> {
  const render = engine(values)
  // Argo CD leaves the template as it is when there is nothing to put in.
  const isEmpty = Object.keys(values).length === 0
  const rendered = isEmpty ? template : await renderStrings(template, render, 'spec.template')
  const { metadata, spec } = isJsonObject(rendered) ? rendered : {}
  const before = {
    metadata: isJsonObject(metadata) ? withFinalizer(metadata, !isEmpty && !set.preserveResources) : {},
    spec: spec ?? {},
  }
  const [patchText = ''] = await render([{ path: 'spec.templatePatch', text: set.templatePatch }])
  const patch = set.templatePatch === '' ? undefined : readTemplatePatch(patchText)
  const after: Fields = patch ? applyTemplatePatch(before, patch) : before
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: ownMetadata(after['metadata'], set),
    spec: patch ? withProjectOf(after['spec'], before.spec) : after['spec'],
  }
  const { name } = application.metadata
  if (name === undefined || name === '') {
    throw new InvalidInputError(
      `ApplicationSet ${set.name} contains an application with no name; give metadata.name: generateName is not supported`,
    )
  }
  const checked = checkedResource(application)
  checkedApplication(checked, urlPolicy)
  return checked
}

function withFinalizer(metadata: Fields, isWanted: boolean): Fields {
  const { finalizers } = metadata
  const hasOwn = Array.isArray(finalizers) && finalizers.length > 0
  return isWanted && !hasOwn ? { ...metadata, finalizers: [finalizer] } : metadata
}

/** Returns the metadata of an Application that a set decides; the store or a cluster decides the rest. */
function ownMetadata(metadata: unknown, { namespace = controlPlaneNamespace }: ApplicationSet) {
  const given: Fields = isJsonObject(metadata) ? metadata : {}
  const own = metadataFields.filter((field) => (given[field] ?? undefined) !== undefined)
  const fields: Fields = Object.fromEntries(own.map((field) => [field, given[field]]))
  return { ...fields, namespace, name: fields['name'] }
}

function withProjectOf(spec: unknown, before: unknown): unknown {
  if (!isJsonObject(spec)) return spec
  const { project: _, ...rest } = spec
  const project = isJsonObject(before) ? before['project'] : undefined
  return project === undefined ? rest : { ...rest, project }
}
