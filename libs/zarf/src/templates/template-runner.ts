import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { TemplateCall, TemplateWorkers } from '@wadi/engines/templates/template-workers.ts'
import { templateWorkers } from '@wadi/engines/templates/template-workers.ts'
import type { TemplateNames, PackageTemplateRequest } from '@wadi/engines/templates/template.ts'
import { spend } from '../lint/finding.ts'
import type { Budget } from '../lint/finding.ts'

/** The renderer of the texts of one package, and its remaining limits. */
export interface TemplateRunner {
  readonly workers: Pick<TemplateWorkers, 'renderPackage' | 'inspectPackage'>
  readonly signal: AbortSignal | undefined
  /** The number of texts that may still be rendered. */
  readonly texts: Budget
  /** The time left to parse templates, in milliseconds. */
  readonly parseTime: Budget
  /** The time left to render templates, in milliseconds. */
  readonly renderTime: Budget
}

/** The most texts that a package may have. */
const maxTexts = 5000

/** The time limit of parsing all templates of a package, and that of rendering them, in milliseconds. */
const maxTemplateTime = 5000

/** Returns what renders the texts of one package on the threads of this process. */
export function templateRunner(signal: AbortSignal | undefined): TemplateRunner {
  return {
    workers: templateWorkers(),
    signal,
    texts: { left: maxTexts },
    parseTime: { left: maxTemplateTime },
    renderTime: { left: maxTemplateTime },
  }
}

/** Counts a text. Throws ResourceExhaustedError when the package has too many. */
export function spendText({ texts }: TemplateRunner): void {
  spend(texts, `the package has more than ${maxTexts} texts to render: split it`)
}

/**
 * Renders a template.
 *
 * @throws InvalidInputError with Go's own message, or when the template takes too long.
 * @throws ResourceExhaustedError when all templates of the package together take too long.
 */
export function runTemplate(runner: TemplateRunner, request: PackageTemplateRequest): Promise<string> {
  return within(runner, runner.renderTime, (call) => runner.workers.renderPackage(request, call))
}

/** Returns what a template names. Throws what {@link runTemplate} throws. */
export function inspectTemplate(runner: TemplateRunner, name: string, text: string): Promise<TemplateNames> {
  return within(runner, runner.parseTime, (call) => runner.workers.inspectPackage(name, text, call))
}

async function within<Result>(
  { signal }: TemplateRunner,
  budget: Budget,
  work: (call: TemplateCall) => Promise<Result>,
): Promise<Result> {
  let took = 0
  try {
    return await work({ signal, spent: (milliseconds) => (took = milliseconds) })
  } catch (cause) {
    if (!(cause instanceof ResourceExhaustedError)) throw cause
    // One template is at fault, which has a place in the package.
    throw cause.as(InvalidInputError)
  } finally {
    const message = `the templates of the package take more than ${maxTemplateTime} ms: make them simpler`
    spend(budget, message, took)
  }
}
