import { composeYaml } from './compose-yaml.ts'
import type { ComposedDocument, CompositionLimits } from './compose-yaml.ts'
import type { JsonValue } from './manifest.ts'
import { plainNodes } from './plain-nodes.ts'
import { readYamlSource } from './yaml-source.ts'
import type { YamlSource } from './yaml-source.ts'

/** A text of YAML that was read, and where its nodes are. */
export interface ComposedYaml {
  source: YamlSource
  /** Those that are not empty. */
  documents: ComposedDocument<JsonValue>[]
}

/** Limits for a file of settings. */
const defaultLimits: CompositionLimits = { maxDepth: 100, maxNodes: 200_000 }

/**
 * Reads the documents of a text of YAML or JSON with the values that Kubernetes would see, as sigs.k8s.io/yaml does:
 * `on` is true, `0o10` is 8.
 * @param file names the text in messages
 * @throws InvalidInputError (`file:line: …`) for a text that is not YAML, or a duplicate key
 * @throws ResourceExhaustedError above a limit; 100 levels and 200,000 nodes, aliases expanded, by default
 */
export function readYaml(
  text: string,
  file: string,
  limits: CompositionLimits = defaultLimits,
): ComposedYaml {
  const source = readYamlSource(file, text, limits.maxDepth)
  const documents = composeYaml(source, plainNodes(source), limits).filter(({ value }) => value !== null)
  return { source, documents }
}
