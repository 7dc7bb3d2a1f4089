import { DeadlineExceededError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { inContext } from '@wadi/errors/with-context.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { extensionsOf } from '@wadi/application-sets/application-set-extensions.ts'
import type { ApplicationSet } from '@wadi/application-sets/application-set.ts'
import { generateApplications, type OnElement } from '@wadi/application-sets/generate-applications.ts'
import type { AppsetServiceContext } from './context.ts'
import { cacheKey } from './generated-cache.ts'
import { startRun } from '@wadi/application-sets/generators/start-run.ts'
import type { InputGuard } from '@wadi/application-sets/inputs/input-guard.ts'
import { GeneratorInputs } from '@wadi/application-sets/inputs/run-inputs.ts'

/**
 * The Applications of an ApplicationSet, in the order of its generators and their elements. When nothing that the last
 * run read has changed, they are those of that run; otherwise those of it whose values have not changed are kept. The work
 * of templates is charged to `account`. With `checksProjectsLater` a project that does not exist is not an error here: the
 * caller checks the Applications, and names projects only to those who may see them. `onElement` learns what each Application
 * comes from, for which the generators run even if nothing has changed. They are as the store would store them.
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
    const inputs = new GeneratorInputs(context, { refresh: set.refresh, guard, checksProjectsLater, signal })
    const key = cacheKey(set)
    const known = context.cache.get(key)
    if (known && !onElement && (await inputs.areAt(known.inputs))) {
      // Other commits with the same files are known from now on.
      context.cache.set(key, { ...known, inputs: await inputs.versions() })
      return known.applications
    }
    const extensions = known ? [] : extensionsOf(set)
    if (extensions.length > 0) context.events.beyondArgoCd(set.name, extensions)
    const run = startRun(set, context, { inputs, account, signal })
    const options = { limits: context.limits, known: known?.rendered, onElement }
    const generated = await generateApplications(set, run, options)
    const applications = generated.applications.map((application) => context.store.storable(application))
    context.cache.set(key, { ...generated, applications, inputs: await inputs.versions() })
    return applications
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
