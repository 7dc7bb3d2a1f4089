import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from '@wadi/resources/field-reader.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'
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
  const elementsYaml = reader.text(fields, 'elementsYaml', '') ?? ''
  reader.throwFaults()
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
  if (!Array.isArray(value)) throw new InvalidInputError(`${path} has to be a list`)
  return value.map((element: unknown, index) => {
    if (!isRecord(element)) throw new InvalidInputError(`${path}[${index}] has to be a map`)
    return { origin: `${path}[${index}]`, values: element }
  })
}

function yamlElements(text: string, path: string): ParameterSet[] {
  const documents = yamlDocuments(text, path)
  if (documents.length > 1) throw new InvalidInputError(`${path} has to be one YAML document`)
  const elements = documents[0] ?? []
  if (!Array.isArray(elements)) throw new InvalidInputError(`${path}: ${unreadable}: it has to be a list`)
  return elementsIn(elements, path)
}

function yamlDocuments(text: string, path: string): unknown[] {
  try {
    return yamlValues(path, text)
  } catch (cause) {
    if (cause instanceof DomainError) {
      cause.message = `${path}: ${unreadable}: ${cause.message}`
    }
    throw cause
  }
}

function flattened({ origin, values }: ParameterSet): ParameterSet {
  const flat = Object.entries(values).flatMap(([key, value]): [string, string][] => {
    if (key === 'values') {
      if (!isRecord(value)) throw new InvalidInputError(`${origin}.values: error parsing values map`)
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
  throw new InvalidInputError(
    `${path}: error parsing value as string: it has to be a text for the default template engine; ` +
      'quote it or set spec.goTemplate: true',
  )
}
