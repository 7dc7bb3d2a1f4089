import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { YAMLException, parseEvents } from 'js-yaml'
import type { Event } from 'js-yaml'
import { composeLocated, nestedDeeper } from './compose-located.ts'
import { indexLines } from './line-index.ts'
import { formatLocation } from '../values/located.ts'
import { isList } from '../values/value-tree.ts'
import { isValueMap } from '../values/value.ts'
import type { Located, Value } from '../values/value.ts'
import type { YamlLimits, YamlOptions, YamlRules } from './yaml-options.ts'

const defaultLimits: YamlLimits = { maxBytes: 4 * 1024 * 1024, maxDepth: 200, maxNodes: 500_000 }

/**
 * Reads the first document of a values file: a map, or nothing, which is an empty map. `file` is for locations and
 * messages. The rules are `values` by default.
 *
 * @throws InvalidInputError (`file:line:column: …`) for a text that is no YAML, another type than a map, or a duplicate key.
 * @throws ResourceExhaustedError when a limit is exceeded.
 */
export function readLocatedYaml(text: string, file: string, options: YamlOptions = {}): Located {
  const [first] = readDocuments(text, file, options, 'values', 1)
  if (first === undefined || first.value === null) return { value: new Map(), at: { file } }
  if (isValueMap(first.value)) return first
  throw new InvalidInputError(
    `${formatLocation(first.at)}: the document must be a map, not ${kindOf(first.value)}`,
  )
}

/**
 * Reads every document of a text, as Kubernetes' tools do; empty ones are left out. A document may be of any type. The
 * rules are `kubernetes` by default.
 *
 * @throws InvalidInputError (`file:line:column: …`) for a text that is no YAML, or a duplicate key.
 * @throws ResourceExhaustedError when a limit is exceeded.
 */
export function readLocatedDocuments(text: string, file: string, options: YamlOptions = {}): Located[] {
  return readDocuments(text, file, options, 'kubernetes', Infinity).filter(({ value }) => value !== null)
}

function kindOf(value: Value): string {
  return isList(value) ? 'a list' : 'a scalar'
}

function readDocuments(
  text: string,
  file: string,
  options: YamlOptions,
  defaultRules: YamlRules,
  maxDocuments: number,
): Located[] {
  const limits = { ...defaultLimits, ...options.limits }
  if (text.length > limits.maxBytes || Buffer.byteLength(text) > limits.maxBytes) {
    throw new ResourceExhaustedError(`${file}: larger than the limit of ${limits.maxBytes} bytes (maxBytes)`)
  }
  const events = readEvents(text, file, limits)
  const source = { file, text, events }
  const rules = options.rules ?? defaultRules
  return composeLocated({ source, rules, limits, maxDocuments, locationOf: indexLines(text, file) })
}

// The parser counts a level for a collection and another one for a block collection's entry.
const parserLevelsPerCollection = 2

function readEvents(text: string, file: string, limits: YamlLimits): Event[] {
  try {
    return parseEvents(text, { maxDepth: limits.maxDepth * parserLevelsPerCollection })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const place = `${file}:${(error.mark?.line ?? 0) + 1}:${(error.mark?.column ?? 0) + 1}`
    if (error.reason.includes('maxDepth')) throw nestedDeeper(place, limits)
    throw new InvalidInputError(`${place}: ${error.reason}`, { cause: error })
  }
}
