import { createHash } from 'node:crypto'
import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { inContext } from '@wadi/errors/with-context.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { ApplicationCollector, type CollectorLimits } from './application-collector.ts'
import type { ApplicationSet } from './application-set.ts'
import type { GeneratorRun } from './generators/generator-run.ts'
import { runGenerator } from './generators/run-generator.ts'
import type { ParameterSet, ParameterValues } from './params/parameter-set.ts'
import { renderedApplication } from './rendered-application.ts'
import { mergeTemplates } from './templates/merge-templates.ts'

/** Learns which element of a generator an Application comes from. */
export type OnElement = (application: Resource, element: ParameterSet) => void

/** The Applications of a set, in the order of its generators and their elements. */
export interface GeneratedApplications {
  applications: readonly Resource[]
  /** All Applications as JSON. */
  bytes: number
  /** Each Application by what it was rendered from, so that a new commit costs what it changes. */
  rendered: ReadonlyMap<string, Resource>
}

/**
 * Runs the generators of a set and renders its template with each of their elements.
 * @param known what an earlier run rendered from the same set, which is kept where the values are equal
 * @throws InvalidInputError with every Application that is invalid and the element that made it, or naming the generator
 *   that is invalid; ResourceExhaustedError above a limit; what reading the inputs throws
 */
export async function generateApplications(
  set: ApplicationSet,
  run: GeneratorRun,
  {
    limits,
    known,
    onElement,
  }: {
    limits: CollectorLimits
    known?: ReadonlyMap<string, Resource> | undefined
    onElement?: OnElement | undefined
  },
): Promise<GeneratedApplications> {
  const collector = new ApplicationCollector(set.name, limits)
  const rendered = new Map<string, Resource>()
  let templates = 0
  for (const entry of set.generators) {
    for (const { parameters, template: own } of await runGenerator(entry, run)) {
      const template = own === undefined ? set.template : mergeTemplates(own, set.template)
      templates += 1
      collector.expect(parameters.length, entry.path)
      for (const parameterSet of parameters) {
        await run.pace()
        run.addParameterSet()
        const key = renderKey(templates, parameterSet.values)
        const application = known?.get(key) ?? (await renderOne(set, template, parameterSet, run, collector))
        if (!application) continue
        rendered.set(key, application)
        collector.add(application, parameterSet.origin)
        onElement?.(application, parameterSet)
      }
    }
  }
  collector.throwErrors()
  const { applications, bytes } = collector
  return { applications, bytes, rendered }
}

/** Stands for the template with that number among those of a set and the values that it is rendered with. */
function renderKey(template: number, values: Readonly<ParameterValues>): string {
  return createHash('sha256')
    .update(JSON.stringify([template, values]))
    .digest('base64url')
}

/** The Application of one parameter set; what is wrong with it is noted with the element that made it. */
async function renderOne(
  set: ApplicationSet,
  template: Record<string, unknown>,
  { origin, values }: ParameterSet,
  run: GeneratorRun,
  collector: ApplicationCollector,
): Promise<Resource | undefined> {
  try {
    return await renderedApplication(set, template, values, run)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const placed = inContext(origin, error)
    if (!(placed instanceof InvalidInputError)) throw placed
    collector.addError(placed.message)
    return undefined
  }
}
