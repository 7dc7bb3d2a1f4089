import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { locatedView } from '../values/located-view.ts'
import { wrongType } from '@wadi/fields/field-findings.ts'
import { composeYaml } from '@wadi/manifests/compose-yaml.ts'
import { readYamlSource } from '@wadi/manifests/yaml-source.ts'
import { isValueMap } from '../values/value.ts'
import type { Located } from '../values/value.ts'
import { locatedNodes } from './located-nodes.ts'
import type { YamlLimits, YamlOptions, YamlRules } from './yaml-options.ts'

const defaultLimits: YamlLimits = { maxBytes: 4 * 1024 * 1024, maxDepth: 200, maxNodes: 500_000 }

/**
 * Reads the first document of a values file: a map, or nothing, which is an empty map. `file` is for locations and
 * messages. The rules are `values` by default.
 *
 * @throws InvalidInputError (`file:line:column: …`) for a text that is not YAML, another type than a map, or a duplicate key.
 * @throws ResourceExhaustedError when a limit is exceeded.
 */
export function readLocatedYaml(text: string, file: string, options: YamlOptions = {}): Located {
  const [first] = readDocuments(text, file, options, 'values', 1)
  if (first === undefined || first.value === null) return { value: new Map(), at: { file } }
  if (isValueMap(first.value)) return first
  const reason = `the document ${wrongType('object', locatedView.typeOf(first))}`
  throw new InvalidInputError(reason, { at: first.at })
}

/**
 * Reads every document of a text, as Kubernetes' tools do; empty ones are left out. A document may be of any type. The
 * rules are `kubernetes` by default.
 *
 * @throws InvalidInputError (`file:line:column: …`) for a text that is not YAML, or a duplicate key.
 * @throws ResourceExhaustedError when a limit is exceeded.
 */
export function readLocatedDocuments(text: string, file: string, options: YamlOptions = {}): Located[] {
  return readDocuments(text, file, options, 'kubernetes', Infinity).filter(({ value }) => value !== null)
}

function readDocuments(
  text: string,
  file: string,
  options: YamlOptions,
  defaultRules: YamlRules,
  wantedDocuments: number,
): Located[] {
  const { maxBytes, maxDepth, maxNodes } = { ...defaultLimits, ...options.limits }
  if (text.length > maxBytes || Buffer.byteLength(text) > maxBytes) {
    throw new ResourceExhaustedError(`larger than the limit of ${maxBytes} bytes (maxBytes)`, {
      at: { file },
    })
  }
  const source = readYamlSource(file, text, maxDepth, {
    hasColumns: true,
    isFirstOnly: wantedDocuments === 1,
  })
  const builder = locatedNodes(source, options.rules ?? defaultRules)
  const documents = composeYaml(source, builder, { maxDepth, maxNodes, wantedDocuments })
  return documents.map(({ value }) => value)
}
