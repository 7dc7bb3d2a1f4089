import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { ApplicationSet } from './application-set.ts'

/** Matrix and merge generators inside one another that Argo CD takes. */
const argoCdDepth = 2

/**
 * Returns the features of an ApplicationSet that Argo CD does not have, each as an end of "it has …": such a set works
 * with Wadi only. These are matrix generators of more than two, deeper nesting, merge keys that lead into maps and `**`
 * in paths of files.
 */
export function extensionsOf(set: ApplicationSet): string[] {
  const found = new Set<string>()
  for (const { fields, path } of set.generators) collect(fields, path, 1, set.goTemplate !== undefined, found)
  return [...found]
}

function collect(
  entry: Record<string, unknown>,
  path: string,
  depth: number,
  isGoTemplate: boolean,
  found: Set<string>,
): void {
  const { matrix, merge, git } = entry
  for (const [kind, fields] of Object.entries({ matrix, merge })) {
    if (!isJsonObject(fields)) continue
    const at = `${path}.${kind}`
    const children = listIn(fields, 'generators')
    if (depth > argoCdDepth)
      found.add(`${at}: more than ${argoCdDepth} levels of matrix and merge generators`)
    if (kind === 'matrix' && children.length > 2) found.add(`${at}: more than two generators`)
    if (isGoTemplate && listIn(fields, 'mergeKeys').some((key) => String(key).includes('.'))) {
      found.add(`${at}: merge keys that lead into maps`)
    }
    for (const [index, child] of children.entries()) {
      if (isJsonObject(child)) collect(child, `${at}.generators[${index}]`, depth + 1, isGoTemplate, found)
    }
  }
  if (!isJsonObject(git)) return
  // In directories it is `*`, here and there.
  if (
    listIn(git, 'files').some(
      (pattern) => isJsonObject(pattern) && /(^|\/)\*\*(\/|$)/.test(String(pattern['path'])),
    )
  ) {
    found.add(`${path}.git: ** in paths of files`)
  }
}

function listIn(fields: Record<string, unknown>, field: string): readonly unknown[] {
  const value = fields[field]
  return Array.isArray(value) ? value : []
}
