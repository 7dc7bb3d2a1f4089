import { withPath } from '@wadi/errors/with-context.ts'
import { FieldReader } from '@wadi/resources/field-reader.ts'
import { isQualifiedName, isRecord } from '@wadi/resources/object-checks.ts'

/** A label selector in Kubernetes' form. */
export interface ParameterSelector {
  /** Whether it has no requirement, and so takes everything. */
  isEmpty: boolean
  matches: (labels: ReadonlyMap<string, string>) => boolean
}

type Requirement = (labels: ReadonlyMap<string, string>) => boolean

const maxRequirements = 1_000

/**
 * Reads `matchLabels` and `matchExpressions`. Keys have to be names that labels can have; values are any texts, as what
 * is selected is no label always. As in Kubernetes, NotIn and DoesNotExist take what lacks the key.
 * @throws InvalidInputError that lists every fault
 */
export function readSelector(value: unknown, path: string): ParameterSelector {
  const reader = new FieldReader(path)
  const fields = reader.map({ selector: value }, 'selector', '') ?? {}
  const labels = reader.map(fields, 'matchLabels', '') ?? {}
  const expressions = reader.list(fields, 'matchExpressions', '')
  const count = Object.keys(labels).length + expressions.length
  if (count > maxRequirements) reader.fault(`has ${count} requirements; at most ${maxRequirements} are taken`)
  const requirements = [
    ...Object.entries(labels).map(([key, wanted]): Requirement => {
      checkKey(reader, key, 'matchLabels')
      if (typeof wanted !== 'string') reader.fault(`matchLabels[${JSON.stringify(key)}] has to be a text`)
      return (given) => given.get(key) === wanted
    }),
    ...expressions.map((expression, index) =>
      readExpression(reader, expression, `matchExpressions[${index}]`),
    ),
  ]
  withPath(path, () => reader.throwFaults())
  return {
    isEmpty: requirements.length === 0,
    matches: (given) => requirements.every((fulfils) => fulfils(given)),
  }
}

function checkKey(reader: FieldReader, key: string, at: string): void {
  if (!isQualifiedName(key)) {
    reader.fault(`${at}: ${JSON.stringify(key)} is no name that a label can have`)
  }
}

function readExpression(reader: FieldReader, expression: unknown, at: string): Requirement {
  if (!isRecord(expression)) {
    reader.fault(`${at} has to be a map`)
    return () => false
  }
  const key = reader.requiredText(expression, 'key', `${at}.`)
  if (key !== '') checkKey(reader, key, at)
  const operator = reader.requiredText(expression, 'operator', `${at}.`)
  const values = new Set(reader.texts(expression, 'values', `${at}.`))
  const wantsValues = operator === 'In' || operator === 'NotIn'
  if (wantsValues && values.size === 0) reader.fault(`${at}.values: ${operator} needs a value`)
  if (!wantsValues && values.size > 0) reader.fault(`${at}.values: ${operator} takes no values`)
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
      reader.fault(`${at}.operator: In, NotIn, Exists or DoesNotExist, not ${JSON.stringify(operator)}`)
      return () => false
  }
}
