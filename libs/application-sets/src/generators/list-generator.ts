import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { inPath, withContext, withPath } from '@wadi/errors/with-context.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { mustBe } from '@wadi/fields/field-findings.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { invalidField } from '../invalid-field.ts'
import type { ParameterSet } from '../params/parameter-set.ts'
import { yamlValues } from '../params/yaml-values.ts'
import type { GeneratorRun } from './generator-run.ts'

/** As Argo CD words it. */
const unreadable = 'error unmarshling decoded ElementsYaml'

/**
 * The elements of a list generator, then those of its `elementsYaml`. For the default engine the values of an element
 * have to be texts, and the texts in its `values` become `values.<key>`; those of `elementsYaml` stay as they are.
 * @throws InvalidInputError naming the element and the key
 */
export async function listParameters(
  fields: Record<string, unknown>,
  path: string,
  { isGoTemplate, budget, pace }: GeneratorRun,
): Promise<ParameterSet[]> {
  const reader = new FieldReader(path)
  const elementsYaml = reader.string(fields, 'elementsYaml', '') ?? ''
  reader.throwFindings()
  const elements = elementsIn(fields['elements'] ?? [], `${path}.elements`)
  const written = isGoTemplate ? elements : elements.map(flattened)
  const sets: ParameterSet[] = []
  for (const set of [...written, ...yamlElements(elementsYaml, `${path}.elementsYaml`)]) {
    await pace()
    budget.add(sets, set)
  }
  return sets
}

function elementsIn(value: unknown, path: string): ParameterSet[] {
  if (!Array.isArray(value)) throw invalidField(path, mustBe('list', value))
  return value.map((element: unknown, index) => {
    if (!isJsonObject(element)) throw invalidField(`${path}[${index}]`, mustBe('object', element))
    return { origin: `${path}[${index}]`, values: element }
  })
}

function yamlElements(text: string, path: string): ParameterSet[] {
  const documents = yamlDocuments(text, path)
  if (documents.length > 1) throw invalidField(path, 'must be one YAML document')
  const elements = documents[0] ?? []
  if (!Array.isArray(elements))
    throw inPath(path, new InvalidInputError(`it ${mustBe('list', elements)}`, { context: [unreadable] }))
  return elementsIn(elements, path)
}

function yamlDocuments(text: string, path: string): unknown[] {
  return withPath(path, () => withContext(unreadable, () => yamlValues(path, text)))
}

function flattened({ origin, values }: ParameterSet): ParameterSet {
  const flat = Object.entries(values).flatMap(([key, value]): [string, string][] => {
    if (key === 'values') {
      if (!isJsonObject(value))
        throw inPath(`${origin}.values`, new InvalidInputError('error parsing values map'))
      return Object.entries(value).map(([name, item]) => [
        `values.${name}`,
        textAt(item, `${origin}.values.${name}`),
      ])
    }
    return [[key, textAt(value, `${origin}.${key}`)]]
  })
  return { origin, values: Object.fromEntries(flat) }
}

function textAt(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  const reason =
    'error parsing value as string: it must be a string for the default template engine; ' +
    'quote it or set spec.goTemplate: true'
  throw inPath(path, new InvalidInputError(reason))
}
