import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { placeOfField, readConfigFile } from './config-file.ts'
import type { FileTree } from './file-tree.ts'
import { followPath } from './follow-links.ts'
import { isJsonObject, jsonMergePatch } from './json-merge-patch.ts'
import { childPath } from './repository-path.ts'
import { type RenderSource, type SourceOptions, fieldPath, parseSourceOptions } from './source.ts'

/** Options of a source with whatever its repository says about them merged in. */
export interface MergedOptions {
  readonly options: SourceOptions
  readonly notices: string[]
}

/** Keys of Argo CD's ApplicationSource that an override file may carry and that change nothing. */
const ignoredKeys = new Set(['repoURL', 'targetRevision', 'path', 'chart'])

/**
 * Merges `.argocd-source.yaml` and then `.argocd-source-<application>.yaml` of the source's directory over its
 * inline options, each as a JSON merge patch (RFC 7386).
 * @throws InvalidInputError for a field that is unknown or of a wrong type, with file and line
 */
export async function mergeSourceOverrides(
  tree: FileTree,
  path: string,
  source: RenderSource,
): Promise<MergedOptions> {
  const inlineKeys = Object.entries(source.options).filter(([, value]) => value !== undefined)
  let options = parseSourceOptions(
    Object.fromEntries(inlineKeys),
    (field) => `the Application's source: ${fieldPath(field)}`,
  )
  const notices = inlineKeys.map(
    ([key]) =>
      `not in git: the Application sets source.${key} inline; move it to ${childPath(path, '.argocd-source.yaml')}`,
  )
  for (const name of overrideNames(source.applicationName)) {
    const found = await followPath(tree, childPath(path, name))
    if (found === undefined) continue
    const config = await readConfigFile(tree, found.target, found.path)
    if (!isJsonObject(config.value)) {
      throw new InvalidInputError(
        `${config.file}:1: expected a map with helm, kustomize, directory or plugin`,
      )
    }
    const patch = Object.fromEntries(Object.entries(config.value).filter(([key]) => !ignoredKeys.has(key)))
    for (const key of Object.keys(config.value)) {
      if (ignoredKeys.has(key)) notices.push(`${config.file}: ${key} is ignored; the Application decides it`)
    }
    const locate = (field: readonly PropertyKey[]): string =>
      `${placeOfField(config, field)}: ${fieldPath(field)}`
    // A null removes and is no value of its own, so the fields are checked without it.
    parseSourceOptions(jsonMergePatch({}, patch), locate)
    options = parseSourceOptions(jsonMergePatch(options, patch), locate)
  }
  return { options, notices }
}

function overrideNames(applicationName: string): string[] {
  const names = ['.argocd-source.yaml']
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(applicationName))
    names.push(`.argocd-source-${applicationName}.yaml`)
  return names
}
