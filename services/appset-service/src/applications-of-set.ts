import {
  DeadlineExceededError,
  DomainError,
  InvalidInputError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import { inContext } from '@wadi/errors/with-context.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { ApplicationCollector } from './application-collector.ts'
import { extensionsOf } from './application-set-extensions.ts'
import type { ApplicationSet } from './application-set.ts'
import type { AppsetServiceContext } from './context.ts'
import { type Generation, memoKey, renderKey } from './generated-memo.ts'
import type { GeneratorRun } from './generators/generator-run.ts'
import { runGenerator } from './generators/run-generator.ts'
import { startRun } from './generators/start-run.ts'
import type { InputGuard } from './inputs/input-guard.ts'
import { RunInputs } from './inputs/run-inputs.ts'
import type { ParameterSet } from './params/parameter-set.ts'
import { renderedApplication } from './rendered-application.ts'
import { mergeTemplates } from './templates/merge-templates.ts'

/** Learns which element of a generator an Application comes from. */
export type OnElement = (application: Resource, element: ParameterSet) => void

/**
 * The Applications of an ApplicationSet, in the order of its generators and their elements. When nothing that the last
 * run read has changed, they are those of that run; otherwise those of it whose values have not changed are kept. The work
 * of templates is charged to `account`. With `checksProjectsLater` a project that does not exist is not an error here: the
 * caller checks the Applications, and names projects only to those who may see them. `onElement` learns what each Application
 * comes from, for which the generators run even if nothing has changed.
 * @throws InvalidInputError with every Application that is wrong and the element that made it, or naming the generator
 *   that is wrong; ResourceExhaustedError above a limit; DeadlineExceededError; what reading the inputs throws
 */
export async function applicationsOf(
  set: ApplicationSet,
  context: AppsetServiceContext,
  {
    guard,
    account,
    checksProjectsLater = false,
    onElement,
    signal: callSignal,
  }: {
    guard: InputGuard
    account: string
    checksProjectsLater?: boolean
    onElement?: OnElement | undefined
    signal: AbortSignal
  },
): Promise<readonly Resource[]> {
  const timeout = AbortSignal.timeout(context.limits.milliseconds)
  const signal = AbortSignal.any([callSignal, timeout])
  try {
    const inputs = new RunInputs(context, { refresh: set.refresh, guard, checksProjectsLater, signal })
    const key = memoKey(set)
    const known = context.memo.get(key)
    if (known && !onElement && (await inputs.areAt(known.inputs))) {
      // Other commits with the same files are known from now on.
      context.memo.set(key, { ...known, inputs: await inputs.versions() })
      return known.applications
    }
    const extensions = known ? [] : extensionsOf(set)
    if (extensions.length > 0) context.events.beyondArgoCd(set.name, extensions)
    const generation = await generate(set, context, { inputs, known, account, onElement, signal })
    context.memo.set(key, generation)
    return generation.applications
  } catch (error) {
    if (!timeout.aborted || callSignal.aborted) {
      throw error instanceof ResourceExhaustedError ? inContext(`ApplicationSet ${set.name}`, error) : error
    }
    throw new DeadlineExceededError(
      `ApplicationSet ${set.name}: generating takes more than ${context.limits.milliseconds} ms; make it smaller`,
      { cause: error },
    )
  }
}

async function generate(
  set: ApplicationSet,
  context: AppsetServiceContext,
  {
    known,
    onElement,
    ...options
  }: {
    inputs: RunInputs
    known: Generation | undefined
    account: string
    onElement: OnElement | undefined
    signal: AbortSignal
  },
): Promise<Generation> {
  const { inputs } = options
  const run = startRun(set, context, options)
  const collector = new ApplicationCollector(set.name, context.limits)
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
        const application =
          known?.rendered.get(key) ?? (await renderOne(set, template, parameterSet, run, collector))
        if (!application) continue
        rendered.set(key, application)
        collector.add(application, parameterSet.origin)
        onElement?.(application, parameterSet)
      }
    }
  }
  collector.throwErrors()
  const { applications, bytes } = collector
  return { applications, bytes, inputs: await inputs.versions(), rendered }
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
