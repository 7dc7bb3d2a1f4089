import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import { unplaced } from '@wadi/fields/field-places.ts'
import { ExactNumber, parseExactJson } from '../exact-number.ts'
import { jsonNumberText } from '../number-text.ts'
import { isObjectNode } from '../reading.ts'
import { goJsonObject, goJsonText, inKeyOrder } from '@wadi/manifests/go-json.ts'
import type { Parameter } from './parameter.ts'
import { readParameters } from './read-parameters.ts'

const variable = 'ARGOCD_APP_PARAMETERS'

/**
 * `ARGOCD_APP_PARAMETERS` byte for byte as Argo CD writes it, `null` for no parameters. Parameters in the proposal's forms
 * have `group`, `value`, `number` and `boolean` besides, so that plugins find them in the form in which they were set.
 */
export function parametersJson(parameters: readonly Parameter[]): string {
  return parameters.length === 0 ? 'null' : `[${parameters.map((item) => itemJson(item, false)).join(',')}]`
}

/**
 * The parameters by their group, as the proposal's examples read them: `main` comes first and is always there, and every
 * single value is in `value` too.
 */
export function parametersByGroupJson(parameters: readonly Parameter[]): string {
  const groups = new Map<string, string[]>([['main', []]])
  for (const parameter of parameters) {
    const group = parameter.group === '' ? 'main' : parameter.group
    const items = groups.get(group) ?? []
    groups.set(group, [...items, itemJson(parameter, true)])
  }
  return goJsonObject([...groups].map(([group, items]) => [group, `[${items.join(',')}]`]))
}

function itemJson(parameter: Parameter, withValue: boolean): string {
  const { name, group, string, array, map, form, itemType } = parameter
  const fields: [string, string][] = []
  const isTyped = form === 'typed' && string !== undefined
  if (array !== undefined) fields.push(['array', `[${array.map(goJsonText).join(',')}]`])
  if (isTyped && itemType === 'boolean') fields.push(['boolean', string === 'true' ? 'true' : 'false'])
  if (group !== '') fields.push(['group', goJsonText(group)])
  if (map !== undefined) {
    fields.push(['map', goJsonObject(inKeyOrder(map).map(([key, value]) => [key, goJsonText(value)]))])
  }
  fields.push(['name', goJsonText(name)])
  const number = isTyped && itemType === 'number' ? jsonNumberText(string) : undefined
  if (number !== undefined) fields.push(['number', number])
  if (string !== undefined) {
    fields.push(['string', goJsonText(string)])
    if (withValue || form === 'value' || group !== '') fields.push(['value', goJsonText(string)])
  }
  return goJsonObject(fields)
}

/**
 * Reads `ARGOCD_APP_PARAMETERS`, whoever wrote it.
 *
 * @throws InvalidInputError for what is not a list of parameters.
 */
export function parseParametersJson(text: string): Parameter[] {
  const value = parseVariable(text)
  const places = unplaced(variable, 'parameters')
  return readParameters(Array.isArray(value) ? value.map(withoutRepetition) : value, places)
}

function parseVariable(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw new InvalidInputError(`${variable}: no valid JSON: ${errorMessage(cause)}`, { cause })
  }
}

/** Of fields that say the same in several forms only the one that says most is left. */
function withoutRepetition(item: unknown): unknown {
  if (!isObjectNode(item)) return item
  const fields = new Map(Object.entries(item))
  const [string, number, boolean] = ['string', 'number', 'boolean'].map((name) => fields.get(name))
  if (typeof string !== 'string') return item
  const isNumber = number instanceof ExactNumber && jsonNumberText(string) === number.text
  const isBoolean = typeof boolean === 'boolean' && String(boolean) === string
  const isRepeated = fields.get('value') === string
  if (isNumber) fields.set('number', new ExactNumber(string))
  if (isNumber || isBoolean || isRepeated) fields.delete('string')
  if ((isNumber || isBoolean) && isRepeated) fields.delete('value')
  return Object.fromEntries(fields)
}
