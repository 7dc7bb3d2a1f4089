import { composeYaml } from '@wadi/manifests/compose-yaml.ts'
import { plainNodes } from '@wadi/manifests/plain-nodes.ts'
import { readYamlSource } from '@wadi/manifests/yaml-source.ts'

/** Depth and nodes of a text, what aliases repeat included. */
const limits = { maxDepth: 100, maxNodes: 200_000 }

/**
 * The values of the documents in a text of YAML or JSON as templates see them: every number is a double.
 * @throws InvalidInputError with `file` and line, ResourceExhaustedError above 200,000 nodes or 100 levels
 */
export function yamlValues(file: string, text: string): unknown[] {
  const source = readYamlSource(file, text, limits.maxDepth)
  return composeYaml(source, plainNodes(source), limits).map(({ value }) => asDoubles(value))
}

function asDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(asDoubles)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asDoubles(item)]))
}
