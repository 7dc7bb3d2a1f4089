import { isDeepStrictEqual } from 'node:util'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { partAt } from '@wadi/params/values/located.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import type { StampOwner } from '@wadi/supply-chains/read/cartographer-objects.ts'
import { readCartographerObjects } from '@wadi/supply-chains/read/read-objects.ts'
import type { ParameterChanges } from '../../../parameters/edit/assign-options.ts'
import {
  type ChangedFile,
  editDocuments,
  unchangedFile,
} from '../../../parameters/stored-values/edit-documents.ts'
import { type ValueChange, valueChanges } from '../../../parameters/stored-values/value-changes.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { ListItem } from '../../../parameters/yaml-edit/edit-yaml-list.ts'
import {
  type OwnerParameter,
  ownerKey,
  ownerParameters,
  type RealisedOwner,
  takesUnknown,
  unlisted,
} from './workload-params.ts'

const paramsPath = ['spec', 'params']

/** The wanted `spec.params` of an owner. */
interface OwnerEdit {
  readonly owner: StampOwner
  readonly items: readonly ListItem[]
}

/**
 * Sets parameters of workloads in their `spec.params`.
 * @throws InvalidInputError for what cannot be set, NotFoundError for removing what is not set, FailedPreconditionError
 *   for a file that only a person can change
 */
export async function editWorkloads(
  tree: FileTree,
  all: readonly RealisedOwner[],
  wanted: ParameterChanges,
): Promise<ChangedFile[]> {
  const known = ownerParameters(all)
  const changes = valueChanges(
    known.map(({ stored }) => stored),
    withoutOnlyOwner(all, known, wanted),
  )
  const placed = changes.map((change) => ({ ...change, ...placeOf(change.name, known, all) }))
  const edits = [...Map.groupBy(placed, ({ realised }) => realised.owner)].map(([owner, own]) => ({
    owner,
    items: itemsAfter(
      owner,
      own.map(({ param, value }) => ({ name: param, value })),
    ),
  }))
  const [first] = all
  if (edits.length === 0 && first) return [await unchangedFile(tree, first.owner.located.at.file)]
  const files = await editDocuments(
    tree,
    edits.map(({ owner, items }) => ({
      file: owner.located.at.file,
      line: owner.located.at.line,
      change: items.length === 0 ? { path: paramsPath, value: undefined } : { path: paramsPath, items },
    })),
  )
  for (const file of files) requireMeant(file, edits)
  return files
}

/** The name of the one workload may stand in front as that of several must. */
function withoutOnlyOwner(
  all: readonly RealisedOwner[],
  known: readonly OwnerParameter[],
  { assignments, removals }: ParameterChanges,
): ParameterChanges {
  const [only, other] = all
  if (only === undefined || other !== undefined) return { assignments, removals }
  const prefix = `${ownerKey(only, all)}:`
  const bare = (target: string) =>
    target.startsWith(prefix) && known.every(({ stored }) => stored.name !== target)
      ? target.slice(prefix.length)
      : target
  return {
    assignments: assignments.map((assignment) => ({ ...assignment, target: bare(assignment.target) })),
    removals: removals.map(bare),
  }
}

/** The workload that a name speaks of, and the name there. */
function placeOf(
  name: string,
  known: readonly OwnerParameter[],
  all: readonly RealisedOwner[],
): Pick<OwnerParameter, 'realised' | 'param'> {
  const described = known.find(({ stored }) => stored.name === name)
  if (described !== undefined) return described
  const realised = all.length === 1 ? all[0] : all.find((each) => name.startsWith(`${ownerKey(each, all)}:`))
  if (realised === undefined) {
    const keys = all.map((each) => ownerKey(each, all)).join(', ')
    throw new InvalidInputError(
      `${name}: name the workload, as in ${ownerKeyOf(all)}:${name}; there are ${keys}`,
    )
  }
  const param = all.length === 1 ? name : name.slice(ownerKey(realised, all).length + 1)
  if (!takesUnknown(realised, param)) throw new InvalidInputError(unlisted(realised.blueprint, param))
  return { realised, param }
}

function ownerKeyOf(all: readonly RealisedOwner[]): string {
  const [first] = all
  return first === undefined ? '' : ownerKey(first, all)
}

/** The items of `spec.params` after changes: those that stay keep their text, and of a name the last one is changed. */
function itemsAfter(owner: StampOwner, changes: readonly ValueChange[]): ListItem[] {
  const wanted = new Map(changes.map(({ name, value }) => [name, value]))
  const present = paramsOf(owner)
  const names = present.map((item) =>
    isJsonObject(item) && typeof item['name'] === 'string' ? item['name'] : '',
  )
  const kept = present.flatMap((value, index): ListItem[] => {
    const name = names[index] ?? ''
    if (!wanted.has(name)) return [{ value, was: index }]
    const next = wanted.get(name)
    if (next === undefined) return []
    if (names.lastIndexOf(name) !== index || !isJsonObject(value)) return [{ value, was: index }]
    return [{ value: { ...value, value: next }, was: undefined }]
  })
  const added = [...wanted].flatMap(([name, value]): ListItem[] =>
    value === undefined || names.includes(name) ? [] : [{ value: { name, value }, was: undefined }],
  )
  return [...kept, ...added]
}

function paramsOf({ located }: StampOwner): JsonValue[] {
  const params = partAt(located, paramsPath)
  const items = params && toJson(params.value)
  return Array.isArray(items) ? items : []
}

/** Requires that the written text has the wanted meaning, which an anchor for example may change. */
function requireMeant({ path, after }: ChangedFile, edits: readonly OwnerEdit[]): void {
  const { owners } = readCartographerObjects(readLocatedDocuments(fileText(Buffer.from(after), path), path))
  const isMeant = owners.every((owner) => {
    const edit = edits.find(
      ({ owner: { kind, namespace, name } }) =>
        owner.kind === kind && owner.namespace === namespace && owner.name === name,
    )
    return (
      edit === undefined ||
      isDeepStrictEqual(
        paramsOf(owner),
        edit.items.map(({ value }) => value),
      )
    )
  })
  if (isMeant) return
  throw new FailedPreconditionError(
    `${path} must be edited by hand: it is written so that the change would not mean what was asked for`,
  )
}
