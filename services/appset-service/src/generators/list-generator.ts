import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { composeYaml } from '@wadi/manifests/compose-yaml.ts'
import { readYamlSource } from '@wadi/manifests/yaml-source.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'

/** The values for one Application, and where they come from. */
export interface ParameterSet {
  /** For example `spec.generators[0].list.elements[2]`. */
  path: string
  values: Record<string, unknown>
}

const yamlLimits = { maxDepth: 100, maxNodes: 1_000_000 }

/**
 * The elements of a list generator, then those of its `elementsYaml`. For the default engine the values of an element
 * have to be texts, and the texts in its `values` become `values.<key>`; those of `elementsYaml` stay as they are.
 * @throws InvalidInputError naming the element and the key
 */
export function listParameters(list: unknown, path: string, isGoTemplate: boolean): ParameterSet[] {
  if (!isRecord(list)) throw new InvalidInputError(`${path} has to be a map`)
  const elements = elementsIn(list['elements'] ?? [], `${path}.elements`)
  const written = isGoTemplate ? elements : elements.map(flattened)
  return [...written, ...yamlElements(list['elementsYaml'] ?? '', `${path}.elementsYaml`)]
}

function elementsIn(value: unknown, path: string): ParameterSet[] {
  if (!Array.isArray(value)) throw new InvalidInputError(`${path} has to be a list`)
  return value.map((element: unknown, index) => {
    if (!isRecord(element)) throw new InvalidInputError(`${path}[${index}] has to be a map`)
    return { path: `${path}[${index}]`, values: element }
  })
}

function yamlElements(text: unknown, path: string): ParameterSet[] {
  if (typeof text !== 'string') throw new InvalidInputError(`${path} has to be a text`)
  const documents = composeYaml(readYamlSource(path, text, yamlLimits.maxDepth), yamlLimits)
  if (documents.length > 1) throw new InvalidInputError(`${path} has to be one YAML document`)
  return elementsIn(documents[0]?.value ?? [], path)
}

function flattened({ path, values }: ParameterSet): ParameterSet {
  const flat = Object.entries(values).flatMap(([key, value]): [string, string][] => {
    if (key === 'values' && isRecord(value)) {
      return Object.entries(value).map(([name, item]) => [
        `values.${name}`,
        textAt(item, `${path}.values.${name}`),
      ])
    }
    return [[key, textAt(value, `${path}.${key}`)]]
  })
  return { path, values: Object.fromEntries(flat) }
}

function textAt(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw new InvalidInputError(
    `${path} has to be a text for the default template engine; quote it or set spec.goTemplate: true`,
  )
}
