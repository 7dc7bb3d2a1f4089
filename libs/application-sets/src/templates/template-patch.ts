import { mustBe, unknownField } from '@wadi/fields/field-findings.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { yamlValues } from '../params/yaml-values.ts'

type Fields = Record<string, unknown>

const patchable = ['apiVersion', 'kind', 'metadata', 'spec', 'operation']
const indispensable = ['metadata', 'spec']

/** The paths of lists of strings that are sets, to which a patch adds, as in Kubernetes' metadata. */
const setPaths = new Set(['metadata.finalizers'])

/**
 * Reads a rendered `templatePatch`, which is JSON when it begins with `{` and YAML otherwise; undefined for an empty one.
 * @throws InvalidInputError that begins with `invalid templatePatch`
 */
export function readTemplatePatch(text: string): Fields | undefined {
  const [patch = null] = patchValues(text)
  if (patch === null) return undefined
  if (!isJsonObject(patch)) throw invalid(`it ${mustBe('object', patch)}`)
  for (const key of Object.keys(patch)) {
    if (!patchable.includes(key)) throw invalid(unknownField(key, key, patchable))
    if (indispensable.includes(key) && patch[key] === null) {
      throw invalid(`${key} is null, which would remove all of it; put the key itself into the condition`)
    }
  }
  return patch
}

function patchValues(text: string): unknown[] {
  return withContext('invalid templatePatch', () => yamlValues('templatePatch', text))
}

/**
 * Applies a strategic merge patch to an Application: maps are merged, null removes, lists are replaced whole but for
 * finalizers, to which those of the patch are added. `$patch: replace` and `$patch: delete` in a map are understood.
 * @throws InvalidInputError for another directive
 */
export function applyTemplatePatch(application: Fields, patch: Fields): Fields {
  return patched(application, patch, '')
}

function patched(target: unknown, patch: Fields, at: string): Fields {
  const { $patch: directive = 'merge', ...changes } = patch
  if (directive !== 'merge' && directive !== 'replace' && directive !== 'delete') {
    throw invalid(`${at}.$patch: merge, replace or delete, not ${JSON.stringify(directive)}`)
  }
  if (directive === 'delete') return {}
  const merged = new Map(directive === 'merge' && isJsonObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(changes)) {
    const path = at === '' ? key : `${at}.${key}`
    if (key.startsWith('$')) throw invalid(`${path}: this directive is not supported`)
    if (value === null) merged.delete(key)
    else if (isJsonObject(value)) merged.set(key, patched(merged.get(key), value, path))
    else merged.set(key, setPaths.has(path) ? united(merged.get(key), value) : value)
  }
  return Object.fromEntries(merged)
}

function united(target: unknown, value: unknown): unknown {
  return Array.isArray(target) && Array.isArray(value) ? [...new Set([...target, ...value])] : value
}

function invalid(reason: string): InvalidInputError {
  return new InvalidInputError(reason, { context: ['invalid templatePatch'] })
}
