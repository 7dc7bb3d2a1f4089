import { isDeepStrictEqual } from 'node:util'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { partAt } from '@wadi/params/values/located.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import type { ParameterChanges } from '../../../parameters/edit/assign-options.ts'
import { withFile } from '@wadi/file-trees/with-file.ts'
import {
  type ChangedFile,
  type DocumentChange,
  editDocuments,
  unchangedFile,
} from '../../../parameters/stored-values/edit-documents.ts'
import {
  type StoredParameter,
  type ValueChange,
  valueChanges,
} from '../../../parameters/stored-values/value-changes.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { storedPackageParameters } from './describe-package.ts'
import { isOwnFile, type PackageValues, readPackageValues, valueName, valuePath } from './package-values.ts'
import { settingChanges, variableChange } from './package-settings.ts'

/**
 * Sets values and variables of a package where they are set already, else in `zarf-config.yaml`, which is made if there is none.
 * Values files outside of its directory, which others may share, stay as they are: the configuration overrides them.
 * @throws InvalidInputError for what cannot be set, NotFoundError for removing what is not set, FailedPreconditionError
 *   for a file that only a person can change
 */
export async function editPackage(
  tree: FileTree,
  path: string,
  wanted: ParameterChanges,
): Promise<ChangedFile[]> {
  const values = await readPackageValues(tree, path)
  const known = storedPackageParameters(values)
  const changes = valueChanges(known, withDots(known, wanted))
  if (changes.length === 0) return [await unchangedFile(tree, values.config.path)]
  const edits: DocumentChange[] = []
  for (const { name, value } of changes) {
    edits.push(
      ...(name.startsWith('.')
        ? await valueEdits(tree, values, valuePath(name), value)
        : [await variableEdit(tree, values, known, name, value)]),
    )
  }
  const files = await editDocuments(tree, edits)
  const edited = files.reduce((before, { path: file, after }) => withFile(before, file, after), tree)
  await requireMeant(edited, path, known, changes)
  return files
}

/** Names without a dot in front are values too, unless they are variables. */
function withDots(
  known: readonly StoredParameter[],
  { assignments, removals }: ParameterChanges,
): ParameterChanges {
  const names = new Set(known.map(({ name }) => name))
  const dotted = (target: string) =>
    target.startsWith('.') || names.has(target.replace(/\[\d+\]$/, '')) ? target : `.${target}`
  return {
    assignments: assignments.map((assignment) => ({ ...assignment, target: dotted(assignment.target) })),
    removals: removals.map(dotted),
  }
}

async function valueEdits(
  tree: FileTree,
  { layers, config, values }: PackageValues,
  path: readonly string[],
  value: JsonValue | undefined,
): Promise<DocumentChange[]> {
  const developers = layers.filter((layer) => layer.rank === 2)
  const named = developers
    .filter((layer) => layer.label === 'package.deploy.values')
    .map((layer) => ({ file: layer.tree.at.file, has: partAt(layer.tree, path) !== undefined }))
  const files = named.filter(({ file }) => isOwnFile(config, file))
  if (value === undefined) {
    const shared = named.find(({ file, has }) => has && !isOwnFile(config, file))
    if (shared !== undefined)
      throw new FailedPreconditionError(
        `${valueName(path)} is set in ${shared.file}, which is outside of the package's directory: edit it there`,
      )
    const own = files.filter(({ has }) => has).map(({ file }) => ({ file, change: { path, value } }))
    const isSetting = config.setValues !== undefined && partAt(config.setValues, path) !== undefined
    return [...own, ...(isSetting ? await settingChanges(tree, config.path, path, undefined) : [])]
  }
  const winner = values.why(path)?.winner
  const winning = files.find(({ file, has }) => has && file === winner?.at.file)
  const target = winning ?? (config.path.endsWith('.toml') ? files.at(-1) : undefined)
  if (target !== undefined) return [{ file: target.file, change: { path, value } }]
  return await settingChanges(tree, config.path, path, value)
}

async function variableEdit(
  tree: FileTree,
  { config }: PackageValues,
  known: readonly StoredParameter[],
  name: string,
  value: JsonValue | undefined,
): Promise<DocumentChange> {
  if (!known.some((parameter) => parameter.name === name && parameter.shown.group === 'variables'))
    throw new InvalidInputError(`the package has no variable ${JSON.stringify(name)}`)
  return await variableChange(tree, config.path, name, value)
}

/** Requires that the written text has the wanted meaning, which an anchor or a second place may change. */
async function requireMeant(
  tree: FileTree,
  path: string,
  before: readonly StoredParameter[],
  changes: readonly ValueChange[],
): Promise<void> {
  const edited = await readPackageValues(tree, path)
  const located = edited.values.located()
  const after = new Map(storedPackageParameters(edited).map((parameter) => [parameter.name, parameter]))
  const isChanged = (name: string) =>
    changes.some((change) => name === change.name || name.startsWith(`${change.name}.`))
  const isMeant =
    changes.every(({ name, value }) => {
      if (value === undefined) return after.get(name)?.value === undefined
      if (!name.startsWith('.'))
        return isDeepStrictEqual(after.get(name)?.value, { kind: 'string', text: value })
      const part = partAt(located, valuePath(name))
      return part !== undefined && contains(toJson(part.value), value)
    }) &&
    before.every(({ name, value }) => isChanged(name) || isDeepStrictEqual(after.get(name)?.value, value))
  if (isMeant) return
  throw new FailedPreconditionError(
    `the values of "${path || '.'}" must be edited by hand: they are written so that the change would not mean what was asked for`,
  )
}

/** True if a value is as wanted; an object may have more keys, from its defaults. */
function contains(value: JsonValue | undefined, wanted: JsonValue): boolean {
  if (!isJsonObject(value) || !isJsonObject(wanted)) return isDeepStrictEqual(value, wanted)
  return Object.entries(wanted).every(([key, item]) => contains(value[key], item))
}
