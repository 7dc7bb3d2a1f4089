import { isDeepStrictEqual } from 'node:util'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { withFile } from '@wadi/file-trees/with-file.ts'
import { by } from '@wadi/order/by-name.ts'
import type { SourceInspection } from '../../inspection/source-inspection.ts'
import { parseConfigs } from '../../source/config-file.ts'
import { ownOverrideFile, sharedOverrideFile } from '../../source/option-files.ts'
import { mergeSourceOverrides } from '../../source/source-overrides.ts'
import type { RenderSource } from '../../source/source.ts'
import type { ChangedFile } from '../stored-values/edit-documents.ts'
import { editYaml } from '../yaml-edit/edit-yaml.ts'
import type { ParameterChanges } from './assign-options.ts'
import { type EditableFile, readEditableFile } from './editable-file.ts'
import { comparable, type ComparableOptions, extraOptions, withoutEmpty } from './option-comparison.ts'
import type { ParameterEdit } from './option-edit.ts'

/** Most options that change at once, for each of which the file is parsed; entries of one list count as one. */
const maxChanges = 200

/** A file in git before and after parameters were set in it; equal texts when everything was as wanted. */
interface EditedParameters extends ChangedFile {
  /** Other files that change, when the values of a package or of workloads are in several. */
  readonly others: readonly ChangedFile[]
  /** The plugin's problems with the parameters, each a sentence. */
  readonly problems: string[]
  /** Possible mistakes, each a sentence. */
  readonly warnings: readonly string[]
}

/**
 * Sets parameters of a source in its `.argocd-source` file: of a plugin by the rules of `assignParameters`, for Helm
 * options by their name and values of the chart by any other name, for Kustomize options; those of packages and workloads
 * in files of their own, which may be several. Nothing is stored.
 * @throws InvalidInputError for a target or value that the renderer does not take; what a plugin throws that is asked for its parameters
 * @throws NotFoundError for removing what is not set
 * @throws FailedPreconditionError for a file that only a person can change
 */
export async function editParameters(
  tree: FileTree,
  inspection: SourceInspection,
  source: RenderSource,
  changes: ParameterChanges,
  signal?: AbortSignal,
): Promise<EditedParameters> {
  refuseUnwritable(changes)
  const edit = await inspection.plan.parameters.edit({ tree, inspection, signal }, changes)
  if ('files' in edit) {
    const [first, ...others] = edit.files.toSorted(by(({ path }) => path))
    if (first === undefined) throw new Error('an edit of files has none')
    return { ...first, others, problems: [], warnings: [] }
  }
  if (edit.changes.length > maxChanges) {
    throw new InvalidInputError(`more than ${maxChanges} options change at once; set fewer at a time`)
  }
  const file = await overrideFileFor(tree, inspection.path, source.applicationName, edit.paths)
  const { path, text: before } = file
  const after = edit.changes.length === 0 ? before : await changedText(tree, inspection, source, edit, file)
  const { problems, warnings = [] } = edit
  return { path, before, after, others: [], problems, warnings }
}

async function changedText(
  tree: FileTree,
  { path, renderers }: SourceInspection,
  source: RenderSource,
  { changes, wanted }: ParameterEdit,
  file: EditableFile,
): Promise<string> {
  const optionsWith = async (text: string): Promise<ComparableOptions> => {
    try {
      const edited = withFile(tree, file.path, text)
      return comparable((await mergeSourceOverrides(edited, path, source, renderers)).options)
    } catch (cause) {
      if (!(cause instanceof InvalidInputError)) throw cause
      throw new FailedPreconditionError(`${file.path} must be edited by hand: ${cause.message}`, { cause })
    }
  }
  let text = changes.reduce(editYaml, file.text)
  // Where this file stops saying something, what the Application or the shared file says applies again, unless it is nulled.
  for (const extra of extraOptions(await optionsWith(text), wanted)) {
    text = editYaml(text, { path: extra, value: null })
  }
  if (isDeepStrictEqual(withoutEmpty(await optionsWith(text)), withoutEmpty(wanted))) return text
  throw new FailedPreconditionError(
    `${file.path} must be edited by hand: it is written so that the change would not mean what was asked for`,
  )
}

/** YAML has no NUL, and half a surrogate pair is not a character. */
function refuseUnwritable(changes: ParameterChanges): void {
  const visit = (value: unknown, what: string): void => {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw new InvalidInputError(`${what}: a NUL or half a character cannot be written; remove it`)
    }
    if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) visit(item, what)
  }
  for (const assignment of changes.assignments) visit(assignment, JSON.stringify(assignment.target))
  for (const target of changes.removals) visit(target, JSON.stringify(target))
}

/**
 * The file in which options of a source are set: the one of the Application if it says something of one of them, as it
 * overrides the one that all Applications of the directory share; else the shared one.
 * @throws InvalidInputError for a file that is not UTF-8
 */
async function overrideFileFor(
  tree: FileTree,
  directory: string,
  applicationName: string,
  options: ReadonlyArray<readonly string[]>,
): Promise<EditableFile> {
  const ownName = ownOverrideFile(applicationName)
  if (ownName !== undefined) {
    const own = await readEditableFile(tree, childPath(directory, ownName))
    const value: unknown = parseConfigs(own.text, own.path)[0]?.value
    if (options.some((path) => decides(value, path))) return own
  }
  return await readEditableFile(tree, childPath(directory, sharedOverrideFile))
}

/** True if a merge patch decides an option: sets it, or removes it or something around it. */
function decides(patch: unknown, path: readonly string[]): boolean {
  const [key, ...rest] = path
  if (key === undefined || !isJsonObject(patch)) return patch !== undefined
  return Object.hasOwn(patch, key) && decides(patch[key], rest)
}
