import { setImmediate as nextTurn } from 'node:timers/promises'
import { DomainError, InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { parseApplication } from '@wadi/resources/application.ts'
import { boundedJson, checkedResource, isRecord } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ApplicationSet } from './application-set.ts'
import type { GenerationLimits } from './context.ts'
import type { ParameterSet } from './generators/list-generator.ts'
import { runGenerator } from './generators/run-generator.ts'
import { mergeTemplates } from './templates/merge-templates.ts'
import { type TextRenderer, renderTemplate } from './templates/render-template.ts'

const finalizer = 'resources-finalizer.argocd.argoproj.io'

/**
 * The Applications of an ApplicationSet, in the order of its generators and their elements.
 * @throws InvalidInputError naming generator and element when one is invalid or two have the same name;
 *   ResourceExhaustedError above a limit
 */
export async function applicationsOf(
  set: ApplicationSet,
  render: TextRenderer,
  limits: GenerationLimits,
  signal: AbortSignal,
): Promise<Resource[]> {
  const originByName = new Map<string, string>()
  const applications: Resource[] = []
  let bytes = 0
  for (const entry of set.generators) {
    const { parameters, template: own } = runGenerator(entry, set.goTemplate !== undefined)
    const template = own === undefined ? set.template : mergeTemplates(own, set.template)
    if (applications.length + parameters.length > limits.applications) {
      throw new ResourceExhaustedError(
        `${entry.path}: the set generates more than ${limits.applications} Applications`,
      )
    }
    for (const parameterSet of parameters) {
      // Rendering is synchronous: other calls get their turn between two Applications.
      await nextTurn()
      signal.throwIfAborted()
      const application = applicationOf(set, template, parameterSet, render)
      const { name } = application.metadata
      const other = originByName.get(name)
      if (other !== undefined) {
        throw new InvalidInputError(
          `${parameterSet.path}: an Application "${name}" comes from ${other} already; give them different names`,
        )
      }
      originByName.set(name, parameterSet.path)
      bytes += Buffer.byteLength(boundedJson(application))
      if (bytes > limits.bytes) {
        throw new ResourceExhaustedError(
          `${parameterSet.path}: the Applications so far have more than ${limits.bytes} bytes`,
        )
      }
      applications.push(application)
    }
  }
  return applications
}

function applicationOf(
  set: ApplicationSet,
  template: Record<string, unknown>,
  { path, values }: ParameterSet,
  render: TextRenderer,
): Resource {
  try {
    // Argo CD leaves the template as it is when there is nothing to put in.
    const isEmpty = Object.keys(values).length === 0
    const rendered = isEmpty ? template : renderTemplate(template, values, render, 'spec.template')
    const { metadata, spec } = isRecord(rendered) ? rendered : {}
    const application = checkedResource({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: {
        ...(isRecord(metadata) && withFinalizer(metadata, !isEmpty && !set.preserveResources)),
        ...(set.namespace !== undefined && { namespace: set.namespace }),
      },
      spec: spec ?? {},
    })
    parseApplication(application)
    return application
  } catch (error) {
    if (error instanceof DomainError) error.message = `${path}: ${error.message}`
    throw error
  }
}

function withFinalizer(metadata: Record<string, unknown>, isWanted: boolean): Record<string, unknown> {
  const { finalizers } = metadata
  const hasOwn = Array.isArray(finalizers) && finalizers.length > 0
  return isWanted && !hasOwn ? { ...metadata, finalizers: [finalizer] } : metadata
}
