import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import { locatedAt } from '@wadi/params/values/located.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located, Value } from '@wadi/params/values/value.ts'
import type { Template } from '../read/cartographer-objects.ts'
import { interpolate } from './interpolate.ts'
import type { PathSubject } from '../paths/json-path.ts'
import type { StampBudget } from './stamp-budget.ts'
import type { PathError } from '../paths/path-error.ts'

/**
 * Runs ytt over the text of a template; each value is what `--data-value-yaml` has for its name.
 *
 * @returns what ytt prints, YAML of one object.
 * @throws InvalidInputError with the words of ytt; FailedPreconditionError with what to do when there is no ytt
 */
export type YttRunner = (template: string, values: ReadonlyMap<string, Value>) => Promise<string>

/** One thing that keeps a template from being stamped. */
export interface StampFinding {
  at: Location
  message: string
  /** The tag that has no value, and why; undefined for a ytt template. */
  tag?: string
  cause?: PathError
}

/** Stamps a template of either language; there is an object unless there are findings. */
export async function stampTemplate(
  template: Template,
  subject: PathSubject,
  budget: StampBudget,
  runYtt: YttRunner | undefined,
): Promise<{ object: Located } | { findings: readonly StampFinding[] }> {
  if (template.template !== undefined) {
    const { located, findings } = interpolate(template.template, subject, budget)
    return findings.length === 0 ? { object: located } : { findings }
  }
  const at = template.ytt?.at ?? template.at
  if (runYtt === undefined) {
    const message = `template ${JSON.stringify(template.name)} uses ytt, which is not installed here: write spec.template, or install ytt beside cmp-server`
    return { findings: [{ at, message }] }
  }
  try {
    const values = isValueMap(subject.root.value) ? subject.root.value : new Map<string, Value>()
    const text = await runYtt(template.ytt?.text ?? '', values)
    return { object: locatedAt(onlyObject(readLocatedDocuments(text, 'output of ytt')).value, at) }
  } catch (error) {
    if (error instanceof FailedPreconditionError) {
      const message = `template ${JSON.stringify(template.name)} uses ytt, which cannot be run: ${error.message}`
      return { findings: [{ at, message }] }
    }
    if (!(error instanceof InvalidInputError)) throw error
    return { findings: [{ at, message: `unable to apply ytt template: ${error.message}` }] }
  }
}

function onlyObject(documents: readonly Located[]): Located {
  const [document] = documents
  if (document !== undefined && documents.length === 1) return document
  throw new InvalidInputError(`a ytt template must return one object, not ${documents.length}`)
}
