import { mustBe } from '@wadi/fields/field-findings.ts'
import { withPath } from '@wadi/errors/with-context.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isQualifiedName } from '@wadi/resources/object-checks.ts'

/** A label selector in Kubernetes' form. */
export interface ParameterSelector {
  /** True if it has no requirement, and so selects everything. */
  isEmpty: boolean
  matches: (labels: ReadonlyMap<string, string>) => boolean
}

type Requirement = (labels: ReadonlyMap<string, string>) => boolean

const maxRequirements = 1_000

/**
 * Reads `matchLabels` and `matchExpressions`. Keys have to be names that labels can have; values are any texts, as what
 * is selected is never a label. As in Kubernetes, NotIn and DoesNotExist take what lacks the key.
 * @throws InvalidInputError that lists every error
 */
export function readSelector(value: unknown, path: string): ParameterSelector {
  const reader = new FieldReader(path)
  const fields = reader.object({ selector: value }, 'selector', '') ?? {}
  const labels = reader.object(fields, 'matchLabels', '') ?? {}
  const expressions = reader.list(fields, 'matchExpressions', '')
  const count = Object.keys(labels).length + expressions.length
  if (count > maxRequirements)
    reader.report(`has ${count} requirements; at most ${maxRequirements} are accepted`)
  const requirements = [
    ...Object.entries(labels).map(([key, wanted]): Requirement => {
      checkKey(reader, key, 'matchLabels')
      if (typeof wanted !== 'string')
        reader.report(`matchLabels[${JSON.stringify(key)}] ${mustBe('string', wanted)}`)
      return (given) => given.get(key) === wanted
    }),
    ...expressions.map((expression, index) =>
      readExpression(reader, expression, `matchExpressions[${index}]`),
    ),
  ]
  withPath(path, () => reader.throwFindings())
  return {
    isEmpty: requirements.length === 0,
    matches: (given) => requirements.every((fulfils) => fulfils(given)),
  }
}

function checkKey(reader: FieldReader, key: string, at: string): void {
  if (!isQualifiedName(key)) {
    reader.report(`${at}: ${JSON.stringify(key)} is not a name that a label can have`)
  }
}

function readExpression(reader: FieldReader, expression: unknown, at: string): Requirement {
  if (!reader.isObject(expression, at)) {
    return () => false
  }
  const key = reader.requiredString(expression, 'key', `${at}.`)
  if (key !== '') checkKey(reader, key, at)
  const operator = reader.requiredString(expression, 'operator', `${at}.`)
  const values = new Set(reader.strings(expression, 'values', `${at}.`))
  const wantsValues = operator === 'In' || operator === 'NotIn'
  if (wantsValues && values.size === 0) reader.report(`${at}.values: ${operator} needs a value`)
  if (!wantsValues && values.size > 0) reader.report(`${at}.values: ${operator} takes no values`)
  switch (operator) {
    case 'In':
      return (given) => values.has(given.get(key) ?? '') && given.has(key)
    case 'NotIn':
      return (given) => !given.has(key) || !values.has(given.get(key) ?? '')
    case 'Exists':
      return (given) => given.has(key)
    case 'DoesNotExist':
      return (given) => !given.has(key)
    default:
      reader.report(`${at}.operator: In, NotIn, Exists or DoesNotExist, not ${JSON.stringify(operator)}`)
      return () => false
  }
}
