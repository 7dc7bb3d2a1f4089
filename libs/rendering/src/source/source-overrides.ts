import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type GoFields, readGoFields } from '@wadi/fields/go-fields.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { unplaced } from '@wadi/fields/field-places.ts'
import { mustBe } from '@wadi/fields/field-findings.ts'
import { withExactNumbers } from '@wadi/plugins/exact-number.ts'
import { type ConfigFile, placeOfField, placesIn, readConfigFile } from './config-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { jsonMergePatch } from '@wadi/fields/json-merge-patch.ts'
import { ownOverrideFile, refuseOtherOptions, sharedOverrideFile } from './option-files.ts'
import {
  type OptionLayer,
  type OriginOf,
  applicationLayer,
  fileLayer,
  flagLayer,
  originIn,
} from './option-origin.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { RenderSource, SourceOptions } from './source.ts'
import {
  type TakesOptions,
  checkSourceOptions,
  normalizedOptions,
  optionNames,
  sourceOptionSchema,
} from './source-options.ts'

/** Options of a source with whatever its repository says about them merged in. */
export interface MergedOptions {
  readonly options: SourceOptions
  readonly originOf: OriginOf
  /** The places of the options, in the order in which they were merged. */
  readonly layers: readonly OptionLayer[]
  readonly warnings: string[]
}

/** Unknown fields of a file that are named. */
const maxUnknown = 10

/** Keys of Argo CD's ApplicationSource, in lower case, that an override file may carry and that change nothing. */
const ignoredKeys = new Set(['repourl', 'targetrevision', 'path', 'chart', 'ref', 'name'])

/**
 * Merges `.argocd-source.yaml` and then `.argocd-source-<application>.yaml` of the source's directory over its
 * inline options, each as a JSON merge patch (RFC 7386).
 * Unknown fields are warnings.
 * @throws InvalidInputError for a field of a wrong type, and for a file of one of several Applications that share the result, with file and line
 */
export async function mergeSourceOverrides(
  tree: FileTree,
  path: string,
  source: RenderSource,
  renderers: readonly TakesOptions[],
): Promise<MergedOptions> {
  const inlineKeys = Object.entries(source.options).filter(([, value]) => value !== undefined)
  const inlinePlaces = unplaced("the Application's source")
  let options = checkSourceOptions(Object.fromEntries(inlineKeys), inlinePlaces, renderers)
  const stored = source.triesOptions ? [] : inlineKeys
  const file = fileForOptions(path, source)
  const warnings = stored.map(([key]) => `not in git: the Application sets ${key} itself; move it to ${file}`)
  const layers: OptionLayer[] = [
    source.triesOptions ? flagLayer(options) : applicationLayer(options, source.field),
  ]
  await refuseOtherOptions(tree, path, source)
  for (const name of [sharedOverrideFile, ownOverrideFile(source.applicationName)]) {
    if (name === undefined) continue
    const found = await followPath(tree, childPath(path, name))
    if (found === undefined) continue
    const config = await readConfigFile(tree, found.target, found.path)
    if (!isJsonObject(config.value)) {
      const reason = `the options ${mustBe('object', config.value)}: ${optionNames(renderers).join(', ')}`
      throw new InvalidInputError(reason, { at: { file: config.file, line: 1 } })
    }
    const schema = sourceOptionSchema(renderers)
    const places = placesIn(config)
    const fields = readGoFields(schema, withoutIgnored(config.value), options, places)
    const exact = () => readGoFields(schema, withoutIgnored(exactOptions(config)), options, places).patch
    const patch = normalizedOptions(fields.patch, places, renderers, exact)
    // A null removes and is not a value, so the fields are checked without it.
    checkSourceOptions(jsonMergePatch({}, patch), places, renderers)
    options = checkSourceOptions(jsonMergePatch(options, patch), places, renderers)
    warnings.push(...leftOut(config, config.value, fields))
    layers.push(fileLayer(config, schema))
  }
  return { options, originOf: originIn(layers), layers, warnings }
}

/** Returns the file for the options of an Application, and the one for all of its directory. */
function fileForOptions(path: string, { applicationName, sharedWith = [] }: RenderSource): string {
  const shared = childPath(path, sharedOverrideFile)
  const own = sharedWith.length > 0 ? undefined : ownOverrideFile(applicationName)
  return own === undefined
    ? shared
    : `${childPath(path, own)}, or to ${sharedOverrideFile} if all Applications of the directory have it`
}

/** Warns of what a file says without deciding anything. */
function leftOut(config: ConfigFile, written: object, { unknown }: GoFields): string[] {
  const ignored = Object.keys(written).filter((key) => isIgnored(key))
  const fields = unknown.slice(0, maxUnknown).map(({ steps, message }) => {
    return `${placeOfField(config, steps)}: ${message.replace(/[^?]$/, '$&.')} It is ignored, as by Argo CD`
  })
  const more = unknown.length - fields.length
  return [
    ...ignored.map((key) => `${config.file}: ${key} is ignored; the Application decides it`),
    ...fields,
    ...(more > 0 ? [`${config.file}: ${more} more unknown fields are ignored`] : []),
  ]
}

function isIgnored(key: string): boolean {
  return ignoredKeys.has(key.toLowerCase())
}

function withoutIgnored(options: unknown): unknown {
  if (!isJsonObject(options)) return options
  return Object.fromEntries(Object.entries(options).filter(([key]) => !isIgnored(key)))
}

/** The options with numbers that keep the text that they have in the file. */
function exactOptions({ source, eventIndex, value }: ConfigFile): unknown {
  return withExactNumbers(source, eventIndex, value)
}

/** A directory that a part of a source names, which has no Application of its own. */
export const partSource: RenderSource = {
  path: '',
  options: {},
  destinationNamespace: '',
  applicationName: '',
  instance: { name: '', project: '' },
  repoUrl: '',
  targetRevision: '',
  manifestGeneratePaths: '',
}
