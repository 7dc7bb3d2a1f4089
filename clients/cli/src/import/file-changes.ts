import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { yamlSplices } from '@wadi/rendering/parameters/yaml-edit/edit-yaml.ts'
import { applySplices } from '@wadi/rendering/parameters/yaml-edit/yaml-splice.ts'
import { collectionOf, yamlRoots } from '@wadi/rendering/parameters/yaml-edit/yaml-tokens.ts'
import { isApplicationKind } from '../diff/local/application-files.ts'
import type { FileChange } from './file-change.ts'
import { specPathOf } from './found-objects.ts'
import { hydratedText } from './hydrated-text.ts'
import type { ImportItem, ObjectField } from './import-item.ts'
import { entryAt, type ObjectPlace } from './object-places.ts'
import { readInside } from './write-files.ts'

/** The changes of files, and the items, of which those stay whose text cannot be changed. */
export interface ChangedFiles {
  readonly items: readonly ImportItem[]
  /** Those of files with options are before that of the file that their Application is in. */
  readonly files: readonly FileChange[]
}

/** Makes the changes of a plan in the texts of the files below a directory. Nothing is written. */
export async function changedFiles(root: string, items: readonly ImportItem[]): Promise<ChangedFiles> {
  const known = new Map<string, FileChange>()
  const owned = new Map<string, Set<string>>()
  const done: ImportItem[] = []
  for (const item of items) {
    const { move, found } = item
    if (!move || !found.origin || move.template) {
      done.push(item)
      continue
    }
    const { file: path } = found.origin
    const before = known.get(path)?.before ?? (await readInside(root, path))
    try {
      const after = edited(known.get(path)?.after ?? before, item)
      addFiles(known, move.files)
      known.set(path, { path, before, after })
      const files = owned.getOrInsertComputed(path, () => new Set())
      for (const file of move.files) files.add(file.path)
      done.push(item)
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      const reason = { reason: error.message, field: [...specPathOf(found.manifest), 'source'] }
      done.push({ found, outcome: 'stays', reasons: [reason], notes: item.notes, hydrated: [] })
    }
  }
  const paths = [...owned].flatMap(([path, files]) => [...files, path])
  const templates = await changedTemplates(root, done)
  return { items: done, files: [...paths.flatMap((path) => known.get(path) ?? []), ...templates] }
}

async function changedTemplates(root: string, items: readonly ImportItem[]): Promise<FileChange[]> {
  const changes = items.flatMap(({ move }) => move?.template ?? [])
  const files = Map.groupBy(changes, ({ file }) => file)
  return Promise.all(
    Array.from(files, async ([path, found]) => {
      const before = await readInside(root, path)
      const splices = [...new Set(found.map(({ splice }) => splice))]
      const lineBreak = before.includes('\r\n') ? '\r\n' : '\n'
      return { path, before, after: applySplices(before, splices, lineBreak) }
    }),
  )
}

/** @throws InvalidInputError for a file of which two objects want different texts */
function addFiles(known: Map<string, FileChange>, files: readonly FileChange[]): void {
  const twice = files.find(({ path, after }) => (known.get(path)?.after ?? after) !== after)
  if (twice)
    throw new InvalidInputError(`another Application changes ${twice.path}, too; leave out --move-parameters`)
  for (const file of files) known.set(file.path, file)
}

/** @throws InvalidInputError for a text that would not have the wanted object */
function edited(text: string, { found: { manifest, origin }, move }: ImportItem): string {
  if (!move || !origin) return text
  if (origin.place.document < 0) throw new InvalidInputError(notFound)
  const { changes, fields, syncSource, object } = move
  const { place } = origin
  const specPath = specPathOf(manifest)
  const after = fields
    ? textWithFields(text, place, fields)
    : hydratedText(text, { place, specPath, changes, syncSource })
  const old = objectsOf(text, origin.file)
  const next = readable(after, origin.file) ?? []
  const differing = next.filter((one, index) => !isDeepStrictEqual(one, old[index]))
  const [only] = differing
  if (next.length === old.length && differing.length === 1 && isDeepStrictEqual(only, object)) return after
  throw new InvalidInputError(
    'its text cannot be changed in place, as anchors or merge keys decide it; write its source out',
  )
}

function objectsOf(text: string, file: string): Manifest[] {
  return parseManifests(text, { file }).filter(isApplicationKind)
}

function readable(text: string, file: string): Manifest[] | undefined {
  try {
    return objectsOf(text, file)
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}

const notFound = 'its file has objects that are not written out; write each as an object of its own'

/**
 * Gives an object of a YAML or JSON text some fields: all other bytes stay. The caller reads the result again, as anchors and merge keys are
 * not followed.
 */
function textWithFields(text: string, place: ObjectPlace, fields: readonly ObjectField[]): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const isFlow = collectionOf(entryAt(yamlRoots(text), place, []))?.isFlow === true
  const whole = isFlow || text.endsWith('\n') ? text : `${text}${lineBreak}`
  return fields.reduce((before, field) => {
    const object = entryAt(yamlRoots(before), place, [])
    return applySplices(before, yamlSplices(before, object, field), lineBreak)
  }, whole)
}
